import type { Feature } from '../../platform/feature.ts';
import { projectsPart } from './account-part.ts';
import { projectTopic } from './projects.channel.ts';
import { projectRoutes } from './projects.routes.ts';

export { keepProjects, reviveProjects } from './follow-stems.ts';
export { readProject, showProject } from './projects.service.ts';
export {
  type ProjectWithLog,
  readProjectLog,
  replayLog,
  restoreProject,
  showProjectLog,
} from './restore-project.service.ts';

/** Feature of the editor's projects: edits of the stems of a track, as logs of operations. */
export const projects: Feature = {
  name: 'projects',
  routes: projectRoutes,
  channels: [projectTopic],
  accountParts: [projectsPart],
};

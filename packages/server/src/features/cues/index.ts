import type { Feature } from '../../platform/feature.ts';
import { cuesPart } from './account-part.ts';
import { cueRoutes } from './cues.routes.ts';
import { cuesWorker } from './cues.worker.ts';

export { listShownCues, requestCuesAfter, requestCuesOnGrid } from './cues.service.ts';
export { moveCuesWithGrid } from './move-cues.service.ts';

/** Feature of cue points: detected by the analysis, set and edited by the owner. */
export const cues: Feature = {
  name: 'cues',
  routes: cueRoutes,
  workers: [cuesWorker],
  accountParts: [cuesPart],
};

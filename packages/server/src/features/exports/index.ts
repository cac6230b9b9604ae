import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { archiveRoutes } from './archive/archive.routes.ts';
import { editExportRoutes } from './edit/edit-export.routes.ts';
import { exportRoutes } from './exports.routes.ts';
import { fileRoutes } from './files.routes.ts';
import { mixWorker } from './mix/mix.worker.ts';
import { mixRoutes } from './mix/mixes.routes.ts';
import { removeExpiredMixes } from './mix/mixes.sweeper.ts';

export { openArchive } from './archive/open-archive.service.ts';
export { prepareArchive } from './archive/project-archive.ts';
export type { StoredZip } from './archive/stored-zip.ts';
export { prepareDawproject } from './dawproject/dawproject.service.ts';
export { attachment } from './download-name.ts';
export { type ProjectMidiOptions, readMidiOfProject } from './edit/project-midi.ts';
export { forgetMixesOfTrack, forgetMixesOfUser } from './mix/mixes.sweeper.ts';
export { noBody } from './serve-file.ts';
export { type ZipFile, zipStream } from './zip-stream.ts';

/** Exports and media files. */
export const exportFiles: Feature = {
  name: 'exports',
  routes: (app, context) => {
    fileRoutes(app, context);
    exportRoutes(app, context);
    mixRoutes(app, context);
    editExportRoutes(app, context);
    archiveRoutes(app, context);
  },
  workers: [mixWorker],
  start: (context) =>
    Promise.resolve(every(context, 600, 'delete expired mixes', () => removeExpiredMixes(context))),
};

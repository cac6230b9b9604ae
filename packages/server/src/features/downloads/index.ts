import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { downloadRoutes } from './downloads.routes.ts';
import { downloadWorker } from './downloads.worker.ts';
import { quarantineOrphanedSources } from './orphans.sweeper.ts';

export { sourceFolder } from './download-args.ts';
export { ensureUploaded, holdUploadSpace, requireAudio } from './downloads.service.ts';
export { forgetUploads } from './forget-uploads.ts';

/** Imports audio from a catalog or from the user's own file. */
export const downloads: Feature = {
  name: 'downloads',
  routes: downloadRoutes,
  workers: [downloadWorker],
  start(context) {
    return Promise.resolve(
      every(context, 600, 'quarantine orphaned audio', () =>
        whileNoBackup(context, () => quarantineOrphanedSources(context)),
      ),
    );
  },
};

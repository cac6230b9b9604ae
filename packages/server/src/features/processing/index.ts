import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { processingParts } from './account-parts.ts';
import { networkWorker } from './catalogue/network.worker.ts';
import { sweepCancelled } from './cloud/cancel-tasks.ts';
import { separatorPoolOf } from './engines/separator-pool.ts';
import { quarantineOrphanedStems } from './orphans.sweeper.ts';
import { processingRoutes } from './processing.routes.ts';
import { processingWorker } from './processing.worker.ts';

export { adoptedFolder, adoptSeparation } from './adopt-separation.service.ts';
export { markTasksOfLeaver } from './cloud/cancel-tasks.ts';
export { forgetStemsOfTrack, forgetStemsOfUser } from './forget-stems.service.ts';
export { requestSeparationAfter } from './processing.service.ts';
export { findStem, listStemJobs, listStems, ownsStems, type StemRow } from './processing.store.ts';
export { listSeparations } from './separations.service.ts';
export { listSeparationsOf } from './separations.store.ts';

/** Separation of tracks into stems. */
export const processing: Feature = {
  name: 'processing',
  routes: processingRoutes,
  workers: [processingWorker, networkWorker],
  accountParts: processingParts,
  start: (context) => {
    const ends = [
      every(context, 600, 'quarantine orphaned stems', () =>
        whileNoBackup(context, () => quarantineOrphanedStems(context)),
      ),
      every(context, 30, 'end tasks at the cloud service', () => sweepCancelled(context)),
    ];
    return Promise.resolve(async () => {
      await Promise.all([...ends.map((end) => end()), separatorPoolOf(context).close()]);
    });
  },
};

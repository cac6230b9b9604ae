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

export { NetworkBusyError, partialBytes } from './catalogue/downloads-folder.ts';
export { type InstallProgress, installNetwork } from './catalogue/install-network.ts';
export {
  type CatalogueEntry,
  CatalogueError,
  downloadSize,
  findCatalogueEntry,
  readCatalogue,
} from './catalogue/network-catalogue.ts';
export { installedBytes, listServedModels, removeNetwork } from './catalogue/remove-network.ts';
export { markTasksOfLeaver } from './cloud/cancel-tasks.ts';
export { runSeparator } from './engines/run-separator.ts';
export { forgetStemsOfTrack, forgetStemsOfUser } from './forget-stems.service.ts';
export { addModel, checkModel, removeModel } from './networks/add-model.ts';
export { chooseBackend, describeModel, findNetworkRuntime } from './networks/choose-backend.ts';
export { findInstalledModel } from './networks/installed-models.ts';
export { NetworkRefused } from './networks/network-refused.ts';
export { requestSeparationAfter } from './processing.service.ts';
export { findStem, listStems, ownsStems, type StemRow } from './processing.store.ts';
export { previewSeconds } from './processing-args.ts';

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

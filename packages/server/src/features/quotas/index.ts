import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { quotaRoutes } from './quotas.routes.ts';
import { addUpStorageChanges } from './quotas.store.ts';
import { addUpTrackCounts } from './track-counts.store.ts';

export {
  isQuotaExceeded,
  listUsage,
  type Need,
  requireQuota,
  showUsage,
} from './quotas.service.ts';
export { saveQuota } from './quotas.store.ts';
export { deleteTrackCount, trackCountOf } from './track-counts.store.ts';

const addUpSeconds = 60;

/** Feature of storage usage and quotas per user. */
export const quotas: Feature = {
  name: 'quotas',
  routes: quotaRoutes,
  start: (context) =>
    Promise.resolve(
      every(context, addUpSeconds, 'add up changes of storage and track counts', async () => {
        await addUpStorageChanges(context.db);
        await addUpTrackCounts(context.db);
      }),
    ),
};

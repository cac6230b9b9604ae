import type { Feature } from '../../platform/feature.ts';
import { every } from '../../platform/timer.ts';
import { quotaRoutes } from './quotas.routes.ts';
import { addUpStorageChanges } from './quotas.store.ts';

export { isQuotaExceeded, listUsage, requireRoom, showUsage } from './quotas.service.ts';
export { chargeReceived, saveQuota } from './quotas.store.ts';

const addUpSeconds = 60;

/** How much each user stores, and how much they may. */
export const quotas: Feature = {
  name: 'quotas',
  routes: quotaRoutes,
  start: (context) =>
    Promise.resolve(
      every(context, addUpSeconds, 'add up storage changes', () => addUpStorageChanges(context.db)),
    ),
};

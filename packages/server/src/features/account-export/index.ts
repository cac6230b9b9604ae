import type { Feature } from '../../platform/feature.ts';
import { accountExportRoutes } from './account-export.routes.ts';

/** How a user takes along all that the studio keeps of them. */
export const accountExport: Feature = { name: 'account-export', routes: accountExportRoutes };

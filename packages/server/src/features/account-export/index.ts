import type { Feature } from '../../platform/feature.ts';
import { accountExportRoutes } from './account-export.routes.ts';

/** Feature of the account export: the download of all data stored about a user. */
export const accountExport: Feature = { name: 'account-export', routes: accountExportRoutes };

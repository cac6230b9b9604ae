import type { Feature } from '../../platform/feature.ts';
import { adminRoutes } from './admin.routes.ts';

/** Feature for admins: all users and all jobs. */
export const admin: Feature = { name: 'admin', routes: adminRoutes };

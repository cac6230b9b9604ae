import type { Feature } from '../../platform/feature.ts';
import { adminRoutes } from './admin.routes.ts';

/** The service as its admins see it: all users and all work. */
export const admin: Feature = { name: 'admin', routes: adminRoutes };

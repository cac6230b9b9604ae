import type { Feature } from '../../platform/feature.ts';
import { exportRoutes } from './exports.routes.ts';
import { fileRoutes } from './files.routes.ts';

export { encodeStem } from './encode-stem.ts';

/** How sound gets out of the house. */
export const exportFiles: Feature = {
  name: 'exports',
  routes: (app, context) => {
    fileRoutes(app, context);
    exportRoutes(app, context);
  },
};

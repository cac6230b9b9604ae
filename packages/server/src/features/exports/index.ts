import type { Feature } from '../../platform/feature.ts';
import { exportRoutes } from './exports.routes.ts';
import { fileRoutes } from './files.routes.ts';

export { attachment } from './download-name.ts';
export { noBody } from './serve-file.ts';
export { zipStream } from './zip-stream.ts';

/** Exports and media files. */
export const exportFiles: Feature = {
  name: 'exports',
  routes: (app, context) => {
    fileRoutes(app, context);
    exportRoutes(app, context);
  },
};

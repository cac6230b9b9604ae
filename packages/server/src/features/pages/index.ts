import type { Feature } from '../../platform/feature.ts';
import { mountPlainPageFiles } from '../../platform/http/plain-page.ts';
import { webDistFolder } from '../../platform/http/web-files.ts';
import { mountHome } from './home.pages.ts';
import { mountLegacyPages } from './legacy.pages.ts';

/** Feature of the first pages in a browser: the dashboard, and the stylesheet of the plain pages. */
export const pages: Feature = {
  name: 'pages',
  routes: async (app, context) => {
    mountPlainPageFiles(app);
    mountLegacyPages(app);
    await mountHome(app, context, webDistFolder);
  },
};

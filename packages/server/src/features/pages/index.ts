import { fileURLToPath } from 'node:url';
import type { Feature } from '../../platform/feature.ts';
import { mountStylesheet } from '../../platform/http/plain-page.ts';
import { mountHome } from './home.pages.ts';

const distFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));

/** What a browser is shown: the dashboard, its files, and the look of the plain pages. */
export const feature: Feature = {
  name: 'pages',
  routes: async (app, context) => {
    mountStylesheet(app);
    await mountHome(app, context, distFolder);
  },
};

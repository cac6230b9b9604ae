import type { Feature } from '../../platform/feature.ts';
import { catalogTopic } from './catalog.channel.ts';
import { catalogRoutes } from './catalog.routes.ts';
import { startScanning } from './catalog.service.ts';

export {
  connectedCatalogs,
  findCover,
  lookUpLink,
  receiveTrack,
  showCatalogTrack,
} from './catalog.service.ts';
export { catalogIdOfCover } from './cover-url.ts';
export { demoAlbumUrl } from './demo/demo-album.ts';
export { hasOwnAudio } from './local-id.ts';
export { fileAt, inspectAudio, inspectTags, tagWarning } from './tags/inspect-file.ts';

/** The catalogs of this installation: the demo album, the operator's folder and the web catalog. */
export const catalog: Feature = {
  name: 'catalog',
  routes: catalogRoutes,
  channels: [catalogTopic],
  start: startScanning,
};

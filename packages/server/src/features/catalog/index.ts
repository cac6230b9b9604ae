import type { Feature } from '../../platform/feature.ts';
import { catalogRoutes } from './catalog.routes.ts';

export { findCover, lookUpLink, receiveTrack, showCatalogTrack } from './catalog.service.ts';
export { demoAlbumUrl } from './demo/demo-album.ts';
export { readLengthMs, readTags } from './folder/read-tags.ts';
export { hasOwnSound } from './local-id.ts';

/** The catalogs of this house: a folder of the operator's and the demo album. */
export const catalog: Feature = { name: 'catalog', routes: catalogRoutes };

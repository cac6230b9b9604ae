import {
  fetchCatalog,
  getCatalogScan,
  getCatalogTrack,
  listCollections,
  searchCatalog,
  startCatalogScan,
} from '@stem-studio/contract/endpoints/catalog';
import { metaFor } from '@stem-studio/contract/envelope';
import { catalogId } from '@stem-studio/contract/ids';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { notFound, unauthorized } from '../../platform/errors.ts';
import { viewerOf } from '../../platform/http/request-state.ts';
import { requireScope, route } from '../../platform/http/route.ts';
import {
  findCollections,
  findCover,
  lookUpLink,
  searchCatalogs,
  showCatalogTrack,
  showScan,
  startScan,
} from './catalog.service.ts';

/** Registers the catalog routes. */
export function catalogRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, fetchCatalog, async ({ viewer, body }) => ({
    data: await lookUpLink(context, viewer.id, body.url),
  }));

  route(app, context, searchCatalog, async ({ query }) => {
    const offset = (query.page - 1) * query.page_size;
    const { tracks, totalCount } = await searchCatalogs(context, query.q, offset, query.page_size);
    return { data: tracks, meta: metaFor(query.page, query.page_size, totalCount) };
  });

  route(app, context, listCollections, async ({ query }) => {
    const offset = (query.page - 1) * query.page_size;
    const { collections, totalCount } = await findCollections(context, query.q, offset, query.page_size);
    return { data: [...collections], meta: metaFor(query.page, query.page_size, totalCount) };
  });

  route(app, context, getCatalogTrack, async ({ params }) => ({
    data: await showCatalogTrack(context, params.catalog_id),
  }));

  route(app, context, getCatalogScan, async () => ({ data: await showScan(context) }));

  route(app, context, startCatalogScan, async () => ({ data: await startScan(context) }));

  // Cover of a track that can be imported; the cover of a library track is served from its files.
  app.get('/catalog/covers/:id', async (request, reply) => {
    const viewer = await viewerOf(request);
    if (!viewer) throw unauthorized('log in to see covers');
    requireScope(viewer, 'catalog:read', reply);
    const id = catalogId.safeParse((request.params as { id?: unknown }).id);
    const cover = id.success ? await findCover(context, id.data) : null;
    if (!cover) throw notFound('cover');
    return reply
      .header('content-type', cover.mediaType)
      .header('cache-control', 'private, max-age=86400')
      .send(Buffer.from(cover.bytes));
  });
}

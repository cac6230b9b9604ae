import { importCatalog, previewImport } from '@stem-studio/contract/endpoints/catalog';
import { downloadTrack, getDownloadJob, uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { cancelImport, getImport, listImports } from '@stem-studio/contract/endpoints/imports';
import { chooseSource as chooseSourceEndpoint, listSources } from '@stem-studio/contract/endpoints/sources';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { receiveFile } from '../../platform/http/receive-file.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { senderSignal } from '../../platform/http/sender-signal.ts';
import { newId } from '../../platform/ids.ts';
import { sourceFolder } from './download-args.ts';
import {
  acceptUpload,
  downloadLink,
  holdUploadSpace,
  importLink,
  showDownload,
} from './downloads.service.ts';
import { endImport, showImport, showImports } from './imports.service.ts';
import { previewLink } from './preview-import.service.ts';
import { chooseSource, showSources } from './sources.service.ts';

/** Registers the download routes. */
export function downloadRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, importCatalog, async ({ viewer, body }) => {
    const imported = await importLink(context, viewer, body.url, body.quality, body.catalog_ids);
    const items = imported.items.map(({ created: _created, ...item }) => item);
    const isNew = imported.items.some((item) => item.created);
    return withStatus(isNew ? 201 : 200, { data: { ...imported, items } });
  });

  route(app, context, previewImport, async ({ viewer, body }) => ({
    data: await previewLink(context, viewer, body.url),
  }));

  route(app, context, downloadTrack, async ({ viewer, body }) => {
    const { track_id, job_id, status, created } = await downloadLink(context, viewer, body.url, body.quality);
    return withStatus(created ? 201 : 200, { data: { track_id, job_id, status } });
  });

  route(app, context, getDownloadJob, async ({ viewer, params }) => ({
    data: await showDownload(context, viewer, params.id),
  }));

  route(app, context, listImports, async ({ viewer }) => ({ data: await showImports(context, viewer) }));

  route(app, context, getImport, async ({ viewer, params }) => ({
    data: await showImport(context, viewer, params.id),
  }));

  route(app, context, cancelImport, async ({ viewer, params }) => {
    await endImport(context, viewer, params.id);
    return undefined;
  });

  route(app, context, listSources, async ({ viewer, params }) => ({
    data: await showSources(context, viewer, params.id),
  }));

  route(app, context, chooseSourceEndpoint, async ({ viewer, params, body }) => ({
    data: await chooseSource(context, viewer, params.id, body.candidate_id),
  }));

  route(app, context, uploadFile, async ({ viewer, request, reply }) => {
    const sourceId = newId();
    const path = `${sourceFolder(sourceId)}/received`;
    const file = await receiveFile(context, request, path, (bytes) =>
      holdUploadSpace(context, viewer, bytes),
    );
    const accepted = await acceptUpload(context, viewer, { ...file, sourceId }, 'high', senderSignal(reply));
    const { track_id, job_id, status, created } = accepted;
    if (job_id === null) throw new Error(`upload of track ${track_id} has no job`);
    return withStatus(created ? 201 : 200, { data: { track_id, job_id, status } });
  });
}

import {
  exportAnalysis,
  exportMidi,
  exportMix,
  exportStem,
  exportStemFile,
  exportStems,
  stemFileMediaType,
} from '@stem-studio/contract/endpoints/exports';
import { exportFormatTable } from '@stem-studio/contract/export-formats';
import { madeFilesPerUser } from '@stem-studio/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { route } from '../../platform/http/route.ts';
import { createKeyedSemaphore } from '../../platform/process/keyed-semaphore.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import { attachment, downloadName } from './download-name.ts';
import {
  exportableAnalysis,
  exportableMidi,
  findExportableMix,
  findExportableStem,
  findExportableStemFile,
  findExportableStems,
} from './exports.service.ts';
import { sendMidi } from './send-midi.ts';
import { sendTemporaryFile, untilClosed } from './send-temporary-file.ts';
import { noBody, serveBytes } from './serve-file.ts';
import {
  encodeMixToFile,
  encodeStemFileToFile,
  encodeStemToFile,
  holdStems,
  mixName,
  type StemWork,
  stemFileName,
  stemFiles,
  stemName,
  storedSizes,
  taggedStem,
} from './stem-files.ts';
import { zipBytes, zipStream } from './zip-stream.ts';

/**
 * Mounts the exports: stems, mixes, STEM files, analyses and MIDI files.
 *
 * @spec Stem exports
 */
export function exportRoutes(app: FastifyInstance, context: Context): void {
  const withPermit = createSemaphore(context.config.processingConcurrency);
  const semaphoreOf = createKeyedSemaphore(madeFilesPerUser);

  route(app, context, exportStem, async ({ viewer, params, query: { format }, request, reply }) => {
    const found = await findExportableStem(context, viewer, params.id);
    const [stem] = found.stems;
    if (!stem) throw notFound('stem');
    const disposition = attachment(stemName(found, stem, format));
    if (exportFormatTable[format].isStored) {
      reply.header('content-disposition', disposition);
      return serveBytes(await taggedStem(context, found, stem), format, request, reply);
    }
    const acquirePermit = semaphoreOf(viewer.id);
    const work: StemWork = { context, withPermit, acquirePermit, format, signal: untilClosed(reply) };
    const type = exportFormatTable[format].mediaType;
    return sendTemporaryFile(request, reply, { disposition, type }, () =>
      encodeStemToFile(work, found, stem),
    );
  });

  route(app, context, exportMix, async ({ viewer, params, query, request, reply }) => {
    const mix = await findExportableMix(context, viewer, params.track_id, query);
    const { format } = query;
    const acquirePermit = semaphoreOf(viewer.id);
    const work: StemWork = { context, withPermit, acquirePermit, format, signal: untilClosed(reply) };
    const disposition = attachment(mixName(mix, format));
    const type = exportFormatTable[format].mediaType;
    return sendTemporaryFile(request, reply, { disposition, type }, () => encodeMixToFile(work, mix));
  });

  route(app, context, exportStemFile, async ({ viewer, params, query, request, reply }) => {
    const found = await findExportableStemFile(context, viewer, params.track_id, query);
    const acquirePermit = semaphoreOf(viewer.id);
    const work = { context, withPermit, acquirePermit, signal: untilClosed(reply) };
    const disposition = attachment(stemFileName(found));
    const type = stemFileMediaType;
    return sendTemporaryFile(request, reply, { disposition, type }, () => encodeStemFileToFile(work, found));
  });

  route(app, context, exportStems, async ({ viewer, params, query, request, reply }) => {
    const found = await findExportableStems(context, viewer, params.track_id, query);
    const acquirePermit = semaphoreOf(viewer.id);
    const { format } = query;
    const { artist, title } = found.track;
    const name = downloadName({ artist, title, part: 'stems', extension: 'zip' });
    reply
      .headers({ 'content-disposition': attachment(name), 'cache-control': 'private, no-cache' })
      .type('application/zip');
    // The separation may be deleted while the ZIP is sent.
    const held = await holdStems(context, found);
    try {
      const work: StemWork = {
        context: { ...context, files: held.files },
        withPermit,
        acquirePermit,
        format,
        signal: untilClosed(reply),
      };
      const sizes = await storedSizes(work, found);
      if (sizes) reply.header('content-length', String(zipBytes(sizes)));
      const body = request.method === 'HEAD' ? noBody() : zipStream(stemFiles(work, found));
      body.once('close', () => void held.release());
      return reply.send(body);
    } catch (error) {
      await held.release();
      throw error;
    }
  });

  route(app, context, exportAnalysis, async ({ viewer, params, reply }) => {
    const found = await exportableAnalysis(context, viewer, params.track_id);
    const { artist, title } = found;
    const name = downloadName({ artist, title, part: 'analysis', extension: 'json' });
    reply.headers({ 'content-disposition': attachment(name), 'cache-control': 'private, no-cache' });
    return found;
  });
  route(app, context, exportMidi, async ({ viewer, params, query, request, reply }) => {
    const { artist, title, source, bytes } = await exportableMidi(context, viewer, params.id, query.quantize);
    const part = source === 'mix' ? 'notes' : `${source.replaceAll('_', ' ')} notes`;
    return sendMidi(request, reply, { artist, title, part }, bytes);
  });
}

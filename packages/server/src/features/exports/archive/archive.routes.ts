import {
  exportDawproject,
  exportProjectArchive,
  openProjectArchive,
} from '@stem-studio/contract/endpoints/project-archives';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { receiveFile } from '../../../platform/http/receive-file.ts';
import { route } from '../../../platform/http/route.ts';
import { senderSignal } from '../../../platform/http/sender-signal.ts';
import { newId } from '../../../platform/ids.ts';
import { createSemaphore } from '../../../platform/process/semaphore.ts';
import { holdUploadSpace, sourceFolder } from '../../downloads/index.ts';
import { showProject, showProjectLog } from '../../projects/index.ts';
import { prepareDawproject } from '../dawproject/dawproject.service.ts';
import { attachment } from '../download-name.ts';
import { withoutSilence } from '../send-temporary-file.ts';
import { noBody } from '../serve-file.ts';
import { maxArchiveBytes, openArchive } from './open-archive.service.ts';
import { prepareArchive } from './project-archive.ts';
import type { StoredZip } from './stored-zip.ts';

/**
 * Mounts the endpoints of project archives.
 *
 * @spec Project archives
 */
export function archiveRoutes(app: FastifyInstance, context: Context): void {
  // Checking the stems uses a whole processor.
  const withPermit = createSemaphore(context.config.processingConcurrency);

  route(app, context, exportProjectArchive, async ({ viewer, params, request, reply }) => {
    const logged = await showProjectLog(context, viewer, params.id);
    return sendStoredZip(request, reply, await prepareArchive(context, logged));
  });

  route(app, context, exportDawproject, async ({ viewer, params, request, reply }) => {
    const project = await showProject(context, viewer, params.id);
    return sendStoredZip(request, reply, await prepareDawproject(context, project));
  });

  route(app, context, openProjectArchive, async ({ viewer, request, reply }) => {
    const sourceId = newId();
    const folder = sourceFolder(sourceId);
    const path = `${folder}/archive`;
    const maxBytes = maxArchiveBytes(context.config.maxUploadMb);
    const hold = (bytes: number) => holdUploadSpace(context, viewer, bytes);
    await receiveFile(context, request, path, hold, maxBytes);
    const signal = senderSignal(reply);
    const opened = { path: context.files.absolute(path), userId: viewer.id, sourceId, signal };
    try {
      return {
        data: await withoutSilence(reply, () => withPermit(signal, () => openArchive(context, opened))),
      };
    } catch (error) {
      await context.files.removeFolder(folder);
      throw error;
    } finally {
      await context.files.remove(path);
    }
  });
}

/** Sends a ZIP while it is made; only headers for HEAD. */
function sendStoredZip({ method }: FastifyRequest, reply: FastifyReply, zip: StoredZip): FastifyReply {
  reply
    .headers({
      'content-disposition': attachment(zip.name),
      'cache-control': 'private, no-cache',
      'content-length': String(zip.bytes),
    })
    .type('application/zip');
  const body = method === 'HEAD' ? noBody() : zip.stream();
  body.once('close', () => void zip.release());
  return reply.send(body);
}

import { exportProjectArchive, openProjectArchive } from '@stem-studio/contract/endpoints/project-archives';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { receiveFile } from '../../../platform/http/receive-file.ts';
import { route } from '../../../platform/http/route.ts';
import { senderSignal } from '../../../platform/http/sender-signal.ts';
import { newId } from '../../../platform/ids.ts';
import { createSemaphore } from '../../../platform/process/semaphore.ts';
import { holdUploadSpace, sourceFolder } from '../../downloads/index.ts';
import { readProjectLog, showProject } from '../../projects/index.ts';
import { attachment } from '../download-name.ts';
import { withoutSilence } from '../send-temporary-file.ts';
import { noBody } from '../serve-file.ts';
import { maxArchiveBytes, openArchive } from './open-archive.service.ts';
import { prepareArchive } from './project-archive.ts';

/**
 * Mounts the endpoints of project archives.
 *
 * @spec Project archives
 */
export function archiveRoutes(app: FastifyInstance, context: Context): void {
  // Checking the stems uses a whole processor.
  const withPermit = createSemaphore(context.config.processingConcurrency);

  route(app, context, exportProjectArchive, async ({ viewer, params, request, reply }) => {
    await showProject(context, viewer, params.id);
    const logged = await readProjectLog(context, params.id);
    if (!logged) throw notFound('project');
    const archive = await prepareArchive(context, logged);
    reply
      .headers({
        'content-disposition': attachment(archive.name),
        'cache-control': 'private, no-cache',
        'content-length': String(archive.bytes),
      })
      .type('application/zip');
    const body = request.method === 'HEAD' ? noBody() : archive.stream();
    body.once('close', () => void archive.release());
    return reply.send(body);
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

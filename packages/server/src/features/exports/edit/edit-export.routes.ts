import { exportEdit } from '@stem-studio/contract/endpoints/edit-export';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { route } from '../../../platform/http/route.ts';
import { createSemaphore } from '../../../platform/process/semaphore.ts';
import { attachment } from '../download-name.ts';
import { sendTemporaryFile, untilClosed } from '../send-temporary-file.ts';
import { renderReceivedEdit } from './edit-export.service.ts';

/** Mounts the export of uploaded stems by a manifest. */
export function editExportRoutes(app: FastifyInstance, context: Context): void {
  // An export uses a whole processor.
  const withPermit = createSemaphore(context.config.processingConcurrency);
  route(app, context, exportEdit, async ({ viewer, request, reply }) => {
    const signal = untilClosed(reply);
    const rendered = await withPermit(signal, () => renderReceivedEdit(context, viewer, request, signal));
    const { name } = rendered;
    return sendTemporaryFile(request, reply, { disposition: attachment(name), type: 'audio/wav' }, () =>
      Promise.resolve(rendered),
    );
  });
}

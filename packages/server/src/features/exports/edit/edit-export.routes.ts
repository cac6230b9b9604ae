import {
  createProjectExport,
  exportEdit,
  exportProject,
  exportProjectMidi,
} from '@stem-studio/contract/endpoints/edit-export';
import { exportFormatTable } from '@stem-studio/contract/export-formats';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { route, withStatus } from '../../../platform/http/route.ts';
import { createSemaphore } from '../../../platform/process/semaphore.ts';
import { attachment } from '../download-name.ts';
import { sendMidi } from '../send-midi.ts';
import { sendTemporaryFile, untilClosed } from '../send-temporary-file.ts';
import { renderProject, renderReceivedEdit } from './edit-export.service.ts';
import { exportMidiOfProject } from './project-midi.ts';
import { requestProjectMix } from './project-mix.ts';

/** Mounts the exports of the editor. */
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

  route(app, context, createProjectExport, async ({ viewer, params, body }) => {
    const { mix, existing } = await requestProjectMix(context, viewer, params.id, body);
    return withStatus(existing ? 200 : 201, { data: mix });
  });

  route(app, context, exportProject, async ({ viewer, params, query, request, reply }) => {
    const signal = untilClosed(reply);
    const rendered = await withPermit(signal, () => renderProject(context, viewer, params.id, query, signal));
    const type = exportFormatTable[query.format].mediaType;
    const disposition = attachment(rendered.name);
    return sendTemporaryFile(request, reply, { disposition, type }, () => Promise.resolve(rendered));
  });

  route(app, context, exportProjectMidi, async ({ viewer, params, query, request, reply }) => {
    const { artist, title, name, bytes } = await exportMidiOfProject(context, viewer, params.id, query);
    return sendMidi(request, reply, { artist, title, part: name }, bytes);
  });
}

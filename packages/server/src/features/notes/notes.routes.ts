import {
  deleteNotes as deleteNotesEndpoint,
  getNotesJob,
  listNotes,
  transcribe,
} from '@stem-studio/contract/endpoints/notes';
import { processingStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { deleteNotes, showNotes, showNotesJob, transcribeTrack } from './notes.service.ts';

/** Mounts the endpoints of notes. */
export function notesRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, transcribe, async ({ viewer, body }) => {
    const { job, existing, source } = await transcribeTrack(context, viewer, body);
    const status = processingStatus.parse(job.status);
    return withStatus(existing ? 200 : 201, {
      data: { job_id: job.id, track_id: body.track_id, source, status },
    });
  });

  route(app, context, getNotesJob, async ({ viewer, params }) => ({
    data: await showNotesJob(context, viewer, params.id),
  }));

  route(app, context, listNotes, async ({ viewer, params, query }) => ({
    data: await showNotes(context, viewer, params.id, query),
  }));

  route(app, context, deleteNotesEndpoint, async ({ viewer, params }) => {
    await deleteNotes(context, viewer, params.id);
    return undefined;
  });
}

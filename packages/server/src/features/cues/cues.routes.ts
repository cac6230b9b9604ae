import {
  createCue as createCueEndpoint,
  deleteCue as deleteCueEndpoint,
  listCues,
  regenerateCues,
  restoreCue as restoreCueEndpoint,
  updateCue as updateCueEndpoint,
} from '@stem-studio/contract/endpoints/cues';
import { processingStatus } from '@stem-studio/contract/states';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { replanCues, showCues } from './cues.service.ts';
import { createCue, deleteCue, editCue, restoreCue } from './edit-cues.service.ts';

/** Mounts the endpoints of cue points. */
export function cueRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listCues, async ({ viewer, params }) => ({
    data: await showCues(context, viewer, params.id),
  }));

  route(app, context, createCueEndpoint, async ({ viewer, params, body }) =>
    withStatus(201, { data: await createCue(context, viewer, params.id, body) }),
  );

  route(app, context, updateCueEndpoint, async ({ viewer, params, body }) => ({
    data: await editCue(context, viewer, params.id, body),
  }));

  route(app, context, deleteCueEndpoint, async ({ viewer, params }) => {
    await deleteCue(context, viewer, params.id);
    return undefined;
  });

  route(app, context, restoreCueEndpoint, async ({ viewer, params }) => ({
    data: await restoreCue(context, viewer, params.id),
  }));

  route(app, context, regenerateCues, async ({ viewer, params }) => {
    const { job, existing } = await replanCues(context, viewer, params.id);
    const data = { job_id: job.id, track_id: params.id, status: processingStatus.parse(job.status) };
    return withStatus(existing ? 200 : 201, { data });
  });
}

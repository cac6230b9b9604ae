import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { batchResult, batchTrackIds } from '../resources/batch-request.ts';
import { cloudMinutes } from '../resources/cloud-work.ts';
import { processingJob } from '../resources/processing-job.ts';
import { cloudStemType, cloudStemTypes, engine } from '../resources/stem.ts';
import { separationModel } from '../separation-models.ts';
import { processingStatus } from '../states.ts';

/** Separates a downloaded track into stems. */
export const separate = endpoint({
  method: 'POST',
  path: '/api/processing/separate',
  summary: 'Separate a track into stems',
  auth: 'api',
  scope: 'processing:write',
  limit: 'separate',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'MODEL_NOT_AVAILABLE', 'CLOUD_KEY_MISSING', 'QUOTA_EXCEEDED'],
  body: z.strictObject({
    track_id: uuid,
    model: separationModel.default('hybrid_4'),
    engine: engine.default('local'),
    /** Only the first 60 seconds; never replaces full stems. */
    preview: z.boolean().default(false),
    /**
     * Stem types requested of the cloud engine; all ten by default. The local engine's stem types depend on its
     * model.
     */
    stem_types: z
      .array(cloudStemType)
      .min(1)
      .max(cloudStemTypes.length)
      .refine((types) => new Set(types).size === types.length, 'must name each stem once')
      .optional(),
  }),
  reply: dataOf(
    z.object({
      job_id: uuid,
      track_id: uuid,
      model: separationModel,
      status: processingStatus,
      /** Price at the cloud service in minutes; 0 for the local engine. */
      price_minutes: cloudMinutes,
    }),
  ),
});

/** Separates several downloaded tracks by a model of the local engine. Refused tracks are listed; refused if all are. */
export const separateTracks = endpoint({
  method: 'POST',
  path: '/api/processing/separate-tracks',
  summary: 'Separate several tracks into stems',
  auth: 'api',
  scope: 'processing:write',
  limit: 'separate',
  answersOnce: true,
  status: 200,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'MODEL_NOT_AVAILABLE', 'QUOTA_EXCEEDED'],
  body: z.strictObject({ track_ids: batchTrackIds, model: separationModel.default('hybrid_4') }),
  reply: dataOf(batchResult),
});

/** Returns a separation job: its progress, and its stems once completed. */
export const getProcessingJob = endpoint({
  method: 'GET',
  path: '/api/processing/job/:id',
  summary: 'A separation job and its stems',
  auth: 'api',
  scope: 'processing:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(processingJob),
});

/** Deletes the stems of one separation permanently; they can only be separated again. The track stays. */
export const deleteStems = endpoint({
  method: 'DELETE',
  path: '/api/processing/job/:id/stems',
  summary: 'Delete the stems of a separation',
  auth: 'api',
  scope: 'processing:write',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(z.object({ freed_bytes: z.int() })),
});

/** Lists the separation models and their availability. */
export const listModels = endpoint({
  method: 'GET',
  path: '/api/processing/models',
  summary: 'Separation models',
  auth: 'api',
  scope: 'processing:read',
  status: 200,
  reply: dataOf(
    z.object({
      models: z.array(
        z.object({
          name: separationModel,
          /** Name on the page, such as `Fast`. */
          label: z.string(),
          /** One sentence that says what the model is for, without figures. */
          summary: z.string(),
          description: z.string(),
          stems: z.int(),
          available: z.boolean(),
          /**
           * Backend that the model would use now: `spectral` (built in) or `onnx` (networks installed by the
           * operator).
           */
          backend: z.enum(['spectral', 'onnx']).nullable(),
          /** Additional information about the backend, or the reason why the model is not available. */
          note: z.string().nullable(),
          /**
           * Seconds of music that this studio separates per second with this model and backend: the mean of its newest
           * five separations. Null until it has made one.
           */
          speed: z.number().positive().nullable(),
        }),
      ),
    }),
  ),
});

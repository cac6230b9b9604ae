import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { uuid } from '../ids.ts';
import { cloudMinutes } from '../resources/cloud-work.ts';
import { cloudStemType } from '../resources/stem.ts';

/**
 * Returns the quota in minutes at the cloud service for the key that the caller's separations use. Used minutes are
 * summed over the tasks of this installation; remaining minutes are those reported by the service.
 *
 * @spec Cloud separation
 */
export const getCloudQuota = endpoint({
  method: 'GET',
  path: '/api/cloudsep/quota',
  summary: 'Minutes at the cloud service',
  auth: 'cookie',
  status: 200,
  errors: ['CLOUD_KEY_MISSING', 'CLOUD_ERROR'],
  reply: dataOf(
    z.object({
      quota_minutes: z.int().min(0),
      used_minutes: z.int().min(0),
      remaining_minutes: z.int().min(0),
    }),
  ),
});

/** Returns the price of a cloud separation of a track, without a request to the service. */
export const getCloudPrice = endpoint({
  method: 'GET',
  path: '/api/cloudsep/price',
  summary: 'What a cloud separation of a track would cost',
  auth: 'api',
  scope: 'processing:read',
  status: 200,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED'],
  query: z.strictObject({
    track_id: uuid,
    /** Comma-separated stem types; all ten by default. */
    stem_types: z
      .string()
      .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
      .pipe(z.array(cloudStemType).min(1))
      .optional(),
    preview: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
  }),
  reply: dataOf(
    z.object({
      track_id: uuid,
      price_minutes: cloudMinutes,
      /** Required calls and the price of each: 0 for a call that is already paid and whose result can be reused. */
      splits: z.array(
        z.object({ stem_types: z.array(cloudStemType), minutes: cloudMinutes, is_paid: z.boolean() }),
      ),
      /** Owner of the key that would pay; null if there is no key and cloud separation is unavailable. */
      key: z.enum(['own', 'system']).nullable(),
    }),
  ),
});

const cancelled = dataOf(
  z.object({
    /** Ids of the cancelled tasks; the id of the job if it had no task yet. */
    cancelled: z.array(z.string()),
    /** Ids of the tasks that were completed before the cancel. */
    finished: z.array(z.string()),
    /** Tasks that could not be cancelled, with the reason. */
    failed: z.array(z.object({ task_id: z.string(), error: z.string() })),
  }),
);

/**
 * Cancels a cloud separation with all of its tasks at the service.
 *
 * @spec Cloud separation
 */
export const cancelCloudTask = endpoint({
  method: 'POST',
  path: '/api/cloudsep/cancel',
  summary: 'Cancel a cloud separation',
  auth: 'cookie',
  status: 200,
  errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  body: z.strictObject({
    /** Task id as listed by the separation job, or the id of the job. */
    task_id: z.string().min(1).max(200),
  }),
  reply: cancelled,
});

/**
 * Cancels all cloud separations started by the caller.
 *
 * @spec Cloud separation
 */
export const cancelAllCloudTasks = endpoint({
  method: 'POST',
  path: '/api/cloudsep/cancel-all',
  summary: "Cancel all of the caller's cloud separations",
  auth: 'cookie',
  status: 200,
  reply: cancelled,
});

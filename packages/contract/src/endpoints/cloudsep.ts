import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { uuid } from '../ids.ts';
import { cloudMinutes } from '../resources/cloud-work.ts';
import { cloudStemType } from '../resources/stem.ts';

/**
 * Minutes at the cloud service, of the key that the caller's separations use. What is used is counted here, from the
 * tasks of this studio; what remains is what the service says.
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

/** What a separation of a track by the cloud engine would cost, before anything is asked of the service. */
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
    /** Stem types with commas between; all ten unless given. */
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
      /** The calls it takes, and what each costs: nothing for one that is paid already and can be used again. */
      splits: z.array(
        z.object({ stem_types: z.array(cloudStemType), minutes: cloudMinutes, is_paid: z.boolean() }),
      ),
      /** Whose key would pay; null where there is none, and so no cloud separation. */
      key: z.enum(['own', 'system']).nullable(),
    }),
  ),
});

const cancelled = dataOf(
  z.object({
    /** Tasks that the service has ended; the job's own id where it had none yet. */
    cancelled: z.array(z.string()),
    /** Tasks that it has not, and why. */
    failed: z.array(z.object({ task_id: z.string(), error: z.string() })),
  }),
);

/**
 * Ends a separation by the cloud engine, with all of its tasks at the service.
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
    /** A task's id as the separation job lists it, or the id of the job. */
    task_id: z.string().min(1).max(200),
  }),
  reply: cancelled,
});

/**
 * Ends all separations by the cloud engine that the caller started, and nobody else's.
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

import { z } from 'zod';

/** Schema of the service's ids, which are used in later requests and stored in rows. */
const id = z.string().regex(/^[\w-]{1,100}$/);

/** Reply to an upload. */
export const uploadReply = z.object({
  id,
  duration: z.number().min(0),
  /** Expiry in seconds since the Unix epoch. */
  expires: z.coerce.number().min(0).max(1e11),
});

/** Reply to the request of a split. */
export const splitReply = z.object({ task_id: id });

/** Schema of a file of a finished task. */
export const trackReply = z.object({
  type: z.enum(['stem', 'back']),
  label: z.string().max(100),
  url: z.string().max(4000),
});
/** A file of a finished task. */
export type CloudTrack = z.infer<typeof trackReply>;

const taskReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('progress'), progress: z.number().min(0).max(100) }),
  z.object({
    status: z.literal('success'),
    result: z.object({ tracks: z.array(trackReply).max(50) }),
  }),
  z.object({
    status: z.literal('error'),
    error: z.object({ detail: z.string(), code: z.string().nullish() }),
  }),
  z.object({ status: z.literal('cancelled') }),
  z.object({ status: z.literal('server_error'), error: z.string().nullish() }),
]);
/** State of a task in the service's own terms. */
export type CloudTaskReply = z.infer<typeof taskReply>;

/** States of tasks by id. */
export const checkReply = z.object({ result: z.record(z.string(), taskReply) });

/** Results of a cancellation by task id. */
export const cancelReply = z.object({
  result: z.record(
    z.string(),
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('success') }),
      z.object({ status: z.literal('server_error'), error: z.string().nullish() }),
    ]),
  ),
});

/** Remaining minutes of the account. */
export const minutesReply = z.object({ minutes_left: z.number() });

/** Body of a refusal: a message, or a list of the request's errors. */
export const refusalReply = z.object({ detail: z.unknown(), code: z.string().nullish() });

import { z } from 'zod';

/** An id as the service makes them; it goes into later requests and into rows. */
const id = z.string().regex(/^[\w-]{1,100}$/);

/** What comes back for a file that was sent. */
export const uploadReply = z.object({
  id,
  duration: z.number().min(0),
  /** Epoch seconds. */
  expires: z.coerce.number().min(0).max(1e11),
});

/** What comes back for a split that was asked for. */
export const splitReply = z.object({ task_id: id });

/** A file of a finished task. */
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
/** How a task stands, in the service's own words. */
export type CloudTaskReply = z.infer<typeof taskReply>;

/** How tasks stand, by their ids. */
export const checkReply = z.object({ result: z.record(z.string(), taskReply) });

/** What became of a cancel, by the ids of the tasks. */
export const cancelReply = z.object({
  result: z.record(
    z.string(),
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('success') }),
      z.object({ status: z.literal('server_error'), error: z.string().nullish() }),
    ]),
  ),
});

/** Minutes that are left. */
export const minutesReply = z.object({ minutes_left: z.number() });

/** What stands in a refusal: a sentence, or a list of what is wrong with the request. */
export const refusalReply = z.object({ detail: z.unknown(), code: z.string().nullish() });

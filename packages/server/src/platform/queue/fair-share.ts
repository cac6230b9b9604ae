/**
 * Classes of requests with separate shares. `interactive` requests have a waiting user, `batch` requests are part of an
 * import of an album or a playlist, or follow from one automatically.
 */
export type QueueClass = 'interactive' | 'batch';

/** Weight of a user's flow of each class, relative to the other waiting flows of a line. */
export const shareOf: Readonly<Record<QueueClass, number>> = { interactive: 4, batch: 1 };

/** Cost of a job of unknown length, in seconds of audio: a track of three minutes. */
export const typicalSeconds = 180;

/** Maximum cost of a job, in seconds of audio. */
const mostSeconds = 86_400;

/** Largest tag: pg-boss keeps priorities in 32 bits. */
const largestTag = 2_147_483_647;

/** State of one flow (the requests of one user and class in one line). */
export interface FlowState {
  /** Virtual time of the line: the largest start tag of a job that has started. */
  readonly virtualTime: number;
  /** Largest finish tag of the flow. */
  readonly finishTag: number;
}

/** Start and finish tag of a job, in virtual time. The waiting job with the smallest start tag starts first. */
export interface QueueTags {
  readonly queue_tag: number;
  readonly queue_finish_tag: number;
}

/**
 * Returns the tags of jobs that join a flow, in their order (start-time fair queueing). A flow that was idle starts at
 * the virtual time of the line: it neither waits for the backlog of others nor accumulates credit while idle.
 *
 * @param costs work of each job, in seconds of audio
 * @see Goyal, Vin, Cheng: "Start-time fair queueing: a scheduling algorithm for integrated services packet switching
 *   networks" (1997)
 */
export function tagJobs(flow: FlowState, queueClass: QueueClass, costs: readonly number[]): QueueTags[] {
  let start = Math.max(flow.virtualTime, flow.finishTag);
  return costs.map((seconds) => {
    const cost = Math.min(mostSeconds, Math.max(1, seconds || 0));
    const finish = Math.min(largestTag, start + Math.ceil(cost / shareOf[queueClass]));
    const tags = { queue_tag: start, queue_finish_tag: finish };
    start = finish;
    return tags;
  });
}

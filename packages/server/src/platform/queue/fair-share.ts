/**
 * Kinds of requests that have shares of their own: `interactive` is what a person waits for, `batch` is part of an
 * import of an album or a playlist, and what follows it automatically.
 */
export type QueueClass = 'interactive' | 'batch';

/** Share of a line that a user's requests of a class get, relative to the other flows that wait. */
export const shareOf: Readonly<Record<QueueClass, number>> = { interactive: 4, batch: 1 };

/** Cost of a job of which nothing is known: a song of three minutes, in seconds of audio. */
export const typicalSeconds = 180;

/** Cost of a job at most, in seconds of audio. */
const mostSeconds = 86_400;

/** Largest tag: pg-boss keeps priorities in 32 bits. */
const largestTag = 2_147_483_647;

/** Where one flow (the requests of one user and class in one line) stands. */
export interface FlowState {
  /** Virtual time of the line: the largest start tag of a job that has started. */
  readonly virtualTime: number;
  /** The largest finish tag of the flow. */
  readonly finishTag: number;
}

/** When a job may start and when its share is used up, in virtual time. Of those that wait the smallest tag starts. */
export interface QueueTags {
  readonly queue_tag: number;
  readonly queue_finish_tag: number;
}

/**
 * Tags of jobs that join a flow, in their order: start-time fair queueing. A flow that was idle starts at the virtual
 * time of the line, so it neither waits for the backlog of others nor saves up a claim while it asks for nothing.
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

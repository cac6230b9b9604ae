import type { Pipeline } from './platform/events.ts';

/**
 * What follows what. Each step runs in the transaction of whoever emitted the event, so that a track never has its
 * audio without the jobs that come next.
 */
export const pipeline: Pipeline = {};

/** Where a chunk is: not here, on its way, here. */
export const MISSING = 0;
/** On its way. */
export const LOADING = 1;
/** Here. */
export const LOADED = 2;

/** Which chunks there are, and where the listener is. */
export interface LoadSituation {
  /** State of each chunk of each stem. */
  stems: readonly Uint8Array[];
  /** The chunk that is heard now. */
  playhead: number;
  /** First and last chunk of an active loop. */
  loop: { first: number; last: number } | null;
  /** Chunks a stem that may be kept. */
  window: number;
}

/** A stretch of one stem to fetch in one request. */
export interface LoadRun {
  stem: number;
  first: number;
  count: number;
}

/** So many chunks from the playhead on are fetched one by one, so that sound starts and goes on as soon as it can. */
const URGENT_CHUNKS = 3;
/** Later downbeats are fetched so many at a time: fewer requests. */
const RUN_CHUNKS = 8;
/** Of the window, so much lies behind the playhead. */
const BEHIND = 0.2;

/** First and last chunk that are kept around the playhead; what a loop holds is kept as far as the window reaches. */
export function keptRange({ stems, playhead, window }: LoadSituation): { first: number; last: number } {
  const count = Math.max(0, ...stems.map((stem) => stem.length));
  if (count <= window) return { first: 0, last: count - 1 };
  const first = Math.min(Math.max(0, playhead - Math.floor(window * BEHIND)), count - window);
  return { first, last: first + window - 1 };
}

/**
 * What to fetch next: ahead of the playhead first, all stems of a place before the next place; with an active loop its
 * start before what follows it; then what lies behind. Null when everything that is kept is here or on its way.
 */
export function nextRun(situation: LoadSituation): LoadRun | null {
  const { stems, playhead, loop } = situation;
  const kept = keptRange(situation);
  const find = (from: number, to: number): LoadRun | null => {
    for (let chunk = Math.max(from, kept.first); chunk <= Math.min(to, kept.last); chunk++) {
      for (const [stem, states] of stems.entries()) {
        if (states[chunk] !== MISSING) continue;
        const isUrgent = chunk >= playhead && chunk < playhead + URGENT_CHUNKS;
        return {
          stem,
          first: chunk,
          count: isUrgent ? 1 : runLength(states, chunk, Math.min(to, kept.last)),
        };
      }
    }
    return null;
  };
  const isInLoop = loop && playhead >= loop.first && playhead <= loop.last;
  const inLoop = isInLoop ? (find(playhead, loop.last) ?? find(loop.first, playhead)) : null;
  return inLoop ?? find(playhead, kept.last) ?? find(kept.first, playhead);
}

function runLength(states: Uint8Array, first: number, last: number): number {
  let count = 1;
  while (count < RUN_CHUNKS && first + count <= last && states[first + count] === MISSING) count++;
  return count;
}

/** State of a chunk: not loaded. */
export const MISSING = 0;
/** State of a chunk: requested. */
export const LOADING = 1;
/** State of a chunk: loaded. */
export const LOADED = 2;

/** The chunks and the playhead. */
export interface LoadSituation {
  /** State of each chunk of each stem. */
  stems: readonly Uint8Array[];
  /** The chunk at the playhead. */
  playhead: number;
  /** First and last chunk of an active loop. */
  loop: { first: number; last: number } | null;
  /** Chunks per stem that may be kept. */
  window: number;
}

/** Consecutive chunks of one stem for one request. */
export interface LoadRun {
  stem: number;
  first: number;
  count: number;
}

/** Chunks from the playhead on that are requested one by one, so that playback starts as soon as possible. */
const URGENT_CHUNKS = 3;
/** Later chunks are requested in runs of this length: fewer requests. */
const RUN_CHUNKS = 8;
/** Part of the window that lies behind the playhead. */
const BEHIND = 0.2;

/** Returns the first and last chunk to keep around the playhead. */
export function keptRange({ stems, playhead, window }: LoadSituation): { first: number; last: number } {
  const count = Math.max(0, ...stems.map((stem) => stem.length));
  if (count <= window) return { first: 0, last: count - 1 };
  const first = Math.min(Math.max(0, playhead - Math.floor(window * BEHIND)), count - window);
  return { first, last: first + window - 1 };
}

/**
 * Returns the next run of chunks to load: ahead of the playhead first, all stems of a chunk before the next chunk;
 * the start of an active loop before the part after it; then the part behind the playhead. Null when all chunks to
 * keep are loaded or requested.
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

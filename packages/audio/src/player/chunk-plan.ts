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
  /** Chunks to keep wherever the playhead is, such as those at hot cues; the most important first. */
  pins?: readonly number[];
  /** Whether the playhead moves backwards. */
  isReversed?: boolean;
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
export const RUN_CHUNKS = 8;
/** Part of the window that lies behind the playhead. */
const BEHIND = 0.2;
/** Largest part of the window for pinned chunks. */
const PINNED = 0.5;

/** Returns the first and last chunk to keep around the playhead. */
export function keptRange(situation: LoadSituation): { first: number; last: number } {
  const { playhead, window } = situation;
  const count = chunksOf(situation);
  if (count <= window) return { first: 0, last: count - 1 };
  const size = window - keptPins(situation).length;
  const first = Math.min(Math.max(0, playhead - Math.floor(size * BEHIND)), count - size);
  return { first, last: first + size - 1 };
}

/** Returns the pinned chunks that are kept: the first ones, in at most half of the window. */
export function keptPins(situation: LoadSituation): readonly number[] {
  const { pins = [], window } = situation;
  const count = chunksOf(situation);
  return pins.filter((chunk) => chunk >= 0 && chunk < count).slice(0, Math.floor(window * PINNED));
}

/**
 * Returns the chunks to drop so that no more than the window is loaded: those that are farthest from the playhead and
 * neither in its range nor pinned. A range that was left stays loaded as long as its memory is not needed.
 */
export function chunksToDrop(situation: LoadSituation): number[] {
  const { stems, playhead, window } = situation;
  const kept = keptRange(situation);
  const pins = new Set(keptPins(situation));
  let resident = 0;
  const spare: number[] = [];
  for (let chunk = 0; chunk < chunksOf(situation); chunk++) {
    if (stems.every((states) => (states[chunk] ?? MISSING) === MISSING)) continue;
    resident++;
    const isSpare = (chunk < kept.first || chunk > kept.last) && !pins.has(chunk);
    if (isSpare && stems.every((states) => states[chunk] !== LOADING)) spare.push(chunk);
  }
  if (resident <= window) return [];
  spare.sort((one, other) => Math.abs(other - playhead) - Math.abs(one - playhead));
  return spare.slice(0, resident - window);
}

/**
 * Returns the next run of chunks to load, all stems of a chunk before the next chunk:
 *
 * an active loop → next chunks → pinned chunks → the rest ahead → behind the playhead, the nearest first
 *
 * When the playhead moves backwards, ahead and behind are exchanged. Null when all chunks to keep are loaded or
 * requested.
 */
export function nextRun(situation: LoadSituation): LoadRun | null {
  const { playhead, loop, isReversed = false } = situation;
  const kept = keptRange(situation);
  const find = (from: number, to: number): LoadRun | null =>
    findRun(situation, Math.max(from, kept.first), Math.min(to, kept.last));
  const findBehind = (): LoadRun | null => {
    for (let from = playhead - (playhead % RUN_CHUNKS); from + RUN_CHUNKS > kept.first; from -= RUN_CHUNKS) {
      const run = find(from, Math.min(playhead, from + RUN_CHUNKS - 1));
      if (run) return run;
    }
    return null;
  };
  const findPinned = (): LoadRun | null => {
    for (const chunk of keptPins(situation)) {
      const run = findRun(situation, chunk, chunk);
      if (run) return run;
    }
    return null;
  };
  const isInLoop = loop && playhead >= loop.first && playhead <= loop.last;
  const inLoop = isInLoop ? (find(playhead, loop.last) ?? find(loop.first, playhead)) : null;
  if (inLoop) return inLoop;
  const near = URGENT_CHUNKS + RUN_CHUNKS;
  return isReversed
    ? (find(playhead, playhead) ??
        find(playhead - 1, playhead - 1) ??
        find(playhead - near, playhead) ??
        findPinned() ??
        findBehind() ??
        find(playhead, kept.last))
    : (find(playhead, playhead + near - 1) ??
        find(playhead - 1, playhead - 1) ??
        findPinned() ??
        find(playhead, kept.last) ??
        findBehind());
}

/** Returns the first run of missing chunks in a range, or null. */
function findRun({ stems, playhead }: LoadSituation, from: number, to: number): LoadRun | null {
  for (let chunk = from; chunk <= to; chunk++) {
    for (const [stem, states] of stems.entries()) {
      if (states[chunk] !== MISSING) continue;
      const isUrgent = chunk >= playhead && chunk < playhead + URGENT_CHUNKS;
      return { stem, first: chunk, count: isUrgent ? 1 : runLength(states, chunk, to) };
    }
  }
  return null;
}

/** Returns the number of chunks of the longest stem. */
function chunksOf({ stems }: LoadSituation): number {
  return Math.max(0, ...stems.map((stem) => stem.length));
}

function runLength(states: Uint8Array, first: number, last: number): number {
  let count = 1;
  while (count < RUN_CHUNKS && first + count <= last && states[first + count] === MISSING) count++;
  return count;
}

import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { parseStored, readStored, writeStored } from './browser-storage.ts';

const storageKey = 'stem-studio.loops';
/** Most loops of a track; a new one replaces the oldest. */
const MOST_LOOPS = 24;
/** Most tracks with loops; the tracks changed longest ago lose theirs. */
const MOST_TRACKS = 500;

const savedLoop = z.object({
  name: z.string().min(1).max(100),
  startSeconds: z.number().min(0),
  endSeconds: z.number().positive(),
});
/** A loop of a track that was saved to be played again. */
export type SavedLoop = Readonly<z.infer<typeof savedLoop>>;

const stored = z.object({
  version: z.literal(1),
  /** Loops by track, the track changed last at the end. */
  tracks: z.array(z.object({ id: z.string(), loops: z.array(savedLoop).max(MOST_LOOPS) })).max(MOST_TRACKS),
});
type Tracks = ReadonlyMap<string, readonly SavedLoop[]>;

/** Parses stored loops; empty for text of another format or version. */
export function parseSavedLoops(text: string | null | undefined): Tracks {
  const parsed = parseStored(text, stored);
  return new Map(parsed?.tracks.map(({ id, loops }) => [id, loops]));
}

/** Returns loops as text for {@link parseSavedLoops}. */
export function savedLoopsText(tracks: Tracks): string {
  const kept = [...tracks].slice(-MOST_TRACKS).map(([id, loops]) => ({ id, loops }));
  return JSON.stringify({ version: 1, tracks: kept });
}

/** Saved loops by the id of their track, in this browser. */
export const savedLoops = createStore<{ readonly tracks: Tracks }>(() => ({
  tracks: parseSavedLoops(readStored(storageKey)),
}));

const none: readonly SavedLoop[] = [];

/** Returns the saved loops of a track by their start. */
export function loopsOf(trackId: string, { tracks } = savedLoops.getState()): readonly SavedLoop[] {
  return tracks.get(trackId) ?? none;
}

function store(trackId: string, loops: readonly SavedLoop[]): void {
  // Another tab of the browser may have saved loops since this one read them.
  const text = readStored(storageKey);
  const tracks = new Map(text === undefined ? savedLoops.getState().tracks : parseSavedLoops(text));
  tracks.delete(trackId);
  if (loops.length > 0) tracks.set(trackId, loops);
  savedLoops.setState({ tracks });
  writeStored(storageKey, savedLoopsText(tracks));
}

const isSame = (one: SavedLoop, other: SavedLoop) =>
  one.startSeconds === other.startSeconds && one.endSeconds === other.endSeconds;

/** Saves a loop of a track; one with the same ends is replaced. */
export function saveLoop(trackId: string, loop: SavedLoop): void {
  const others = loopsOf(trackId).filter((other) => !isSame(other, loop));
  const kept = [...others.slice(-(MOST_LOOPS - 1)), loop];
  store(
    trackId,
    kept.toSorted((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds),
  );
}

/** Deletes a saved loop of a track. */
export function deleteLoop(trackId: string, loop: SavedLoop): void {
  store(
    trackId,
    loopsOf(trackId).filter((other) => !isSame(other, loop)),
  );
}

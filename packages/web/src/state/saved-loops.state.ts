import { z } from 'zod';
import { createStore } from 'zustand/vanilla';

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
export function parseSavedLoops(text: string | null): Tracks {
  let json: unknown = null;
  try {
    json = JSON.parse(text ?? 'null');
  } catch {
    // Not JSON: there are no loops.
  }
  const parsed = stored.safeParse(json);
  return new Map(parsed.success ? parsed.data.tracks.map(({ id, loops }) => [id, loops]) : []);
}

/** Returns loops as text for {@link parseSavedLoops}. */
export function savedLoopsText(tracks: Tracks): string {
  const kept = [...tracks].slice(-MOST_TRACKS).map(([id, loops]) => ({ id, loops }));
  return JSON.stringify({ version: 1, tracks: kept });
}

/** Returns the loops in the storage; null without storage. */
function readStored(): Tracks | null {
  try {
    return parseSavedLoops(localStorage.getItem(storageKey));
  } catch {
    // Storage is blocked, or there is no browser.
    return null;
  }
}

/** Saved loops by the id of their track, in this browser. */
export const savedLoops = createStore<{ readonly tracks: Tracks }>(() => ({
  tracks: readStored() ?? new Map(),
}));

const none: readonly SavedLoop[] = [];

/** Returns the saved loops of a track by their start. */
export function loopsOf(trackId: string, { tracks } = savedLoops.getState()): readonly SavedLoop[] {
  return tracks.get(trackId) ?? none;
}

function store(trackId: string, loops: readonly SavedLoop[]): void {
  // Another tab of the browser may have saved loops since this one read them.
  const tracks = new Map(readStored() ?? savedLoops.getState().tracks);
  tracks.delete(trackId);
  if (loops.length > 0) tracks.set(trackId, loops);
  savedLoops.setState({ tracks });
  try {
    localStorage.setItem(storageKey, savedLoopsText(tracks));
  } catch {
    // Without storage the loops last until the page is left.
  }
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

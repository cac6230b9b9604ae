import { mixBounds } from '@stem-studio/contract/limits';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { TransportState } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** Faders go up to twice the recorded level. @spec Stem player */
export const MAX_VOLUME = 2;
/** Half the recorded tempo. */
export const SLOWEST_PERCENT = mixBounds.slowestPercent;
/** One and a half times the recorded tempo. */
export const FASTEST_PERCENT = mixBounds.fastestPercent;
/** One octave up or down. */
export const MAX_KEY_SEMITONES = mixBounds.keySemitones;
/** A loop shorter than this would be perceived as a tone. */
export const SHORTEST_LOOP_SECONDS = 0.05;

/** One row of a player: a stem, or the whole song. */
export interface PlayerRow {
  type: StemType | 'mix';
  /** Fader, 0 to 2; 1 is as recorded. */
  volume: number;
  isMuted: boolean;
  isSoloed: boolean;
}

/** State of a player. The position is read separately, because it changes with every frame. */
export interface PlayerState {
  /** `loading` until the length is known. */
  status: 'loading' | 'ready' | 'failed';
  /** Message of the failure. */
  error: string;
  transport: TransportState;
  durationSeconds: number;
  rows: readonly PlayerRow[];
  /** Master fader, 0 to 1. */
  masterVolume: number;
  loop: LoopRegion | null;
  isLooping: boolean;
  /** Tempo in percent of the recorded one, {@link SLOWEST_PERCENT} to {@link FASTEST_PERCENT}; the pitch stays. */
  tempoPercent: number;
  /** Pitch shift in semitones, up to {@link MAX_KEY_SEMITONES} either way; the tempo stays. */
  keySemitones: number;
  /** Why tempo and key cannot be changed, for the user; empty where they can. */
  stretchRefusal: string;
  /** Loaded part of the song, 0 to 1. */
  loadedRatio: number;
  /** Id of the separation that plays; null for a whole song. */
  separation: string | null;
  /** Id of the separation that will play as soon as it is loaded, or null. */
  pendingSeparation: string | null;
  /** Why the last other separation could not be played, for the user; empty if it could. */
  separationError: string;
}

/** Creates a row as recorded. */
export function createRow(type: PlayerRow['type']): PlayerRow {
  return { type, volume: 1, isMuted: false, isSoloed: false };
}

/** Creates the initial state of a player. */
export function createPlayerState(types: readonly (StemType | 'mix')[]): PlayerState {
  return {
    status: 'loading',
    error: '',
    transport: 'paused',
    durationSeconds: 0,
    rows: types.map(createRow),
    masterVolume: 1,
    loop: null,
    isLooping: false,
    tempoPercent: 100,
    keySemitones: 0,
    stretchRefusal: '',
    loadedRatio: 0,
    separation: null,
    pendingSeparation: null,
    separationError: '',
  };
}

/**
 * Returns the gain of a row: its volume, or 0 where it is muted or another row is soloed. Mute wins over solo, as on a
 * mixer.
 */
export function effectiveGain(row: PlayerRow, rows: readonly PlayerRow[]): number {
  if (row.isMuted) return 0;
  if (!row.isSoloed && rows.some((other) => other.isSoloed)) return 0;
  return row.volume;
}

/** Returns `rows` with `change` in row `index`; volumes are clamped to 0 to {@link MAX_VOLUME}. */
export function withRow(rows: readonly PlayerRow[], index: number, change: Partial<PlayerRow>): PlayerRow[] {
  return rows.map((row, at) => {
    if (at !== index) return row;
    const next = { ...row, ...change };
    return { ...next, volume: Math.min(MAX_VOLUME, Math.max(0, next.volume)) };
  });
}

/**
 * Returns the loop between two positions in either order, within the song; null where it is shorter than {@link
 * SHORTEST_LOOP_SECONDS}.
 */
export function loopBetween(a: number, b: number, durationSeconds: number): LoopRegion | null {
  const startSeconds = Math.max(0, Math.min(a, b));
  const endSeconds = Math.min(durationSeconds, Math.max(a, b));
  return endSeconds - startSeconds >= SHORTEST_LOOP_SECONDS ? { startSeconds, endSeconds } : null;
}

/** Returns the nearest beat; the position itself where there are no beats. `beats` ascend. */
export function snapToBeat(seconds: number, beats: readonly number[]): number {
  const next = firstFrom(beats, seconds);
  const before = beats[next - 1];
  const after = beats[next];
  if (before === undefined) return after ?? seconds;
  if (after === undefined) return before;
  return seconds - before <= after - seconds ? before : after;
}

import type { StemType } from '@stem-studio/contract/resources/stem';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { TransportState } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** Faders go up to twice the recorded level. @spec DAW editor behaviour */
export const MAX_VOLUME = 2;
/** Half the recorded tempo. */
export const SLOWEST_PERCENT = 50;
/** One and a half times the recorded tempo. */
export const FASTEST_PERCENT = 150;
/** An octave up or down. */
export const MAX_KEY_SEMITONES = 12;
/** A loop shorter than this is a tone, not a loop. */
export const SHORTEST_LOOP_SECONDS = 0.05;

/** One row of a player: a stem, or the whole song. */
export interface PlayerRow {
  type: StemType | 'mix';
  /** Fader, 0 to 2; 1 is as recorded. */
  volume: number;
  isMuted: boolean;
  isSoloed: boolean;
}

/** All that a player shows. The place itself is asked for, not stored: it changes with every picture. */
export interface PlayerState {
  /** `loading` until the song's length is known. */
  status: 'loading' | 'ready' | 'failed';
  /** Why it failed, in message. */
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
  /** Semitones that the song sounds higher, down and up to {@link MAX_KEY_SEMITONES}; the tempo stays. */
  keySemitones: number;
  /** Why tempo and key cannot be changed, in message; empty where they can. */
  stretchRefusal: string;
  /** Part of the song that is here, 0 to 1. */
  loadedRatio: number;
}

/** A player before anything is known but what it will play. */
export function createPlayerState(types: readonly (StemType | 'mix')[]): PlayerState {
  return {
    status: 'loading',
    error: '',
    transport: 'paused',
    durationSeconds: 0,
    rows: types.map((type) => ({ type, volume: 1, isMuted: false, isSoloed: false })),
    masterVolume: 1,
    loop: null,
    isLooping: false,
    tempoPercent: 100,
    keySemitones: 0,
    stretchRefusal: '',
    loadedRatio: 0,
  };
}

/**
 * What a row's fader comes to: its volume, unless it is muted, or another row is soloed and this one is not. Mute wins
 * over solo, as on a mixing desk.
 */
export function effectiveGain(row: PlayerRow, rows: readonly PlayerRow[]): number {
  if (row.isMuted) return 0;
  if (!row.isSoloed && rows.some((other) => other.isSoloed)) return 0;
  return row.volume;
}

/** `rows` with `change` in row `index`; volumes are kept between 0 and {@link MAX_VOLUME}. */
export function withRow(rows: readonly PlayerRow[], index: number, change: Partial<PlayerRow>): PlayerRow[] {
  return rows.map((row, at) => {
    if (at !== index) return row;
    const next = { ...row, ...change };
    return { ...next, volume: Math.min(MAX_VOLUME, Math.max(0, next.volume)) };
  });
}

/**
 * A loop between two places in either order, inside the song; null where it would be shorter than
 * {@link SHORTEST_LOOP_SECONDS}.
 */
export function loopBetween(a: number, b: number, durationSeconds: number): LoopRegion | null {
  const startSeconds = Math.max(0, Math.min(a, b));
  const endSeconds = Math.min(durationSeconds, Math.max(a, b));
  return endSeconds - startSeconds >= SHORTEST_LOOP_SECONDS ? { startSeconds, endSeconds } : null;
}

/** The beat nearest to a place; the place itself where there are no beats. `beats` ascend. */
export function snapToBeat(seconds: number, beats: readonly number[]): number {
  const next = firstFrom(beats, seconds);
  const before = beats[next - 1];
  const after = beats[next];
  if (before === undefined) return after ?? seconds;
  if (after === undefined) return before;
  return seconds - before <= after - seconds ? before : after;
}

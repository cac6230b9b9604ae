import { mixBounds } from '@stem-studio/contract/limits';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { TransportState } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** Faders go up to twice the recorded level. @spec Stem player */
export const MAX_VOLUME = mixBounds.volume;
/** Half the recorded tempo. */
export const SLOWEST_PERCENT = mixBounds.slowestPercent;
/** One and a half times the recorded tempo. */
export const FASTEST_PERCENT = mixBounds.fastestPercent;
/** One octave up or down. */
export const MAX_KEY_SEMITONES = mixBounds.keySemitones;
/** Lowest gain of an equaliser band in dB, apart from −Infinity, which kills the band. */
export const MIN_EQ_DB = mixBounds.eqDb.min;
/** Highest gain of an equaliser band in dB. */
export const MAX_EQ_DB = mixBounds.eqDb.max;
/** Longest count-in, in bars. */
export const MAX_COUNT_IN_BARS = mixBounds.countInBars;
/** A loop shorter than this would be perceived as a tone. */
export const SHORTEST_LOOP_SECONDS = 0.05;

/** Name of an equaliser band; they cross over at 246 Hz and 2,484 Hz. */
export type EqBand = 'low' | 'mid' | 'high';

/** Gains of the equaliser bands in dB: −Infinity (killed), or {@link MIN_EQ_DB} to {@link MAX_EQ_DB}. */
export type EqGains = Readonly<Record<EqBand, number>>;

/** Equaliser that passes samples unchanged. */
export const flatEq: EqGains = { low: 0, mid: 0, high: 0 };

/** Metronome of a player. */
export interface MetronomeSetting {
  readonly isOn: boolean;
  /** Linear gain of the clicks, 0 to 1. */
  readonly gain: number;
}

/** One row of a player: a stem, or the whole song. */
export interface PlayerRow {
  type: StemType | 'mix';
  /** Fader, 0 to 2; 1 is as recorded. */
  volume: number;
  /** Pan, −1 (left) to 1 (right). */
  pan: number;
  eq: EqGains;
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
  metronome: MetronomeSetting;
  /** Bars that are counted in before playback starts, 0 to {@link MAX_COUNT_IN_BARS}. */
  countInBars: number;
  /** Why tempo and key cannot be changed, for the user; empty where they can. */
  stretchRefusal: string;
  /** Why pan and equaliser cannot be changed, for the user; empty where they can. */
  stripRefusal: string;
  /** Loaded part of the song, 0 to 1. */
  loadedRatio: number;
  /** Id of the separation that plays; null for a whole song. */
  separation: string | null;
  /** Id of the separation that will play as soon as it is loaded, or null. */
  pendingSeparation: string | null;
  /** Why the last other separation could not be played, for the user; empty if it could. */
  separationError: string;
}

/** Whether a transport was started: it plays, waits for samples or counts in. */
export function isRunning(transport: TransportState): boolean {
  return transport !== 'paused' && transport !== 'ended';
}

/** Creates a row as recorded. */
export function createRow(type: PlayerRow['type']): PlayerRow {
  return { type, volume: 1, pan: 0, eq: flatEq, isMuted: false, isSoloed: false };
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
    metronome: { isOn: false, gain: 1 },
    countInBars: 0,
    stretchRefusal: '',
    stripRefusal: '',
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

/** Returns `rows` with `change` in row `index`; volumes are clamped to 0 to {@link MAX_VOLUME}, pan to −1 to 1. */
export function withRow(rows: readonly PlayerRow[], index: number, change: Partial<PlayerRow>): PlayerRow[] {
  return rows.map((row, at) => {
    if (at !== index) return row;
    const next = { ...row, ...change };
    return {
      ...next,
      volume: Math.min(MAX_VOLUME, Math.max(0, next.volume)),
      pan: Math.min(1, Math.max(-1, next.pan)),
    };
  });
}

/** Returns `rows` with another gain of an equaliser band in row `index`, clamped to its range; −Infinity kills it. */
export function withEq(rows: readonly PlayerRow[], index: number, band: EqBand, gainDb: number): PlayerRow[] {
  const clamped =
    gainDb === Number.NEGATIVE_INFINITY ? gainDb : Math.min(MAX_EQ_DB, Math.max(MIN_EQ_DB, gainDb));
  return withRow(rows, index, { eq: { ...(rows[index]?.eq ?? flatEq), [band]: clamped } });
}

/** Returns a metronome setting whose gain is clamped to 0 to 1. */
export function clampedMetronome({ isOn, gain }: MetronomeSetting): MetronomeSetting {
  return { isOn, gain: Math.min(1, Math.max(0, gain)) };
}

/** Returns a whole number of bars, 0 to {@link MAX_COUNT_IN_BARS}. */
export function clampedCountIn(bars: number): number {
  return Math.min(MAX_COUNT_IN_BARS, Math.max(0, Math.round(bars)));
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

import type { EffectType } from '@stem-studio/contract/decks/effects';

/** Setting of a slot of effects. */
export interface EffectSetting {
  readonly type: EffectType;
  readonly isOn: boolean;
  /** 0 is the dry signal alone, 1 the effect alone. */
  readonly wet: number;
  readonly isPostFader: boolean;
  /** Time in beats, where there is a grid; null for a time in ms. */
  readonly beats: number | null;
  readonly ms: number;
  /** Values of the parameters of the type, in their units. */
  readonly values: readonly number[];
}

/** Longest time of an effect in seconds; longer ones are halved until they fit. */
export const MAX_TIME_SECONDS = 4;
/** Shortest time in frames: longer than a block, so that a block reads nothing that it writes. */
export const MIN_TIME_FRAMES = 256;

/** Time of an effect at the beginning of a block. */
export interface EffectTiming {
  /** Length of a repeat, sweep, step or slice in output samples. */
  frames: number;
  /** Position in such lengths, and its advance per sample. */
  cycle: number;
  step: number;
  /** Position in beats, its advance per sample, and the length; `beatsPerFrame` is 0 for a time in ms. */
  beat: number;
  beatsPerFrame: number;
  beats: number;
}

/**
 * Signal processing of a type of effect. It turns a block into the wet signal, in place; the dry signal is mixed by
 * `EffectUnit`. `process` allocates nothing and has no latency.
 */
export interface EffectKernel {
  /** Longest silence in its output while it is not yet silent, in samples, after {@link process}. */
  readonly tailFrames: number;
  /** Sets the parameters, which are reached without a click. */
  set(values: readonly number[]): void;
  /** Starts anew from silence, with the parameters as they were set. */
  reset(): void;
  /** Is turned on, after {@link reset} or while it rings out. */
  begin(): void;
  /** Replaces a block of at most 128 samples by the wet signal. */
  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void;
}

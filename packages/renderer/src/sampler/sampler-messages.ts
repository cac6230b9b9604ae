import type { DeckId } from '@stem-studio/contract/resources/deck-id';

/** Number of pads. */
export const SAMPLER_PADS = 8;

/** How a press plays a pad: to its end, while it is held, or round and round until the next press. */
export type PadMode = 'one-shot' | 'hold' | 'loop';

/** When a pressed pad starts: at once, at the next beat or at the next bar of the leading deck. */
export type PadQuantize = 'off' | 'beat' | 'bar';

/** Tempo of a pad: as recorded, or that of the leading deck with a pitch that moves along or stays. */
export type PadTempo = 'recorded' | 'varispeed' | 'key-lock';

/** Playback settings of a pad. */
export interface PadSetting {
  mode: PadMode;
  quantize: PadQuantize;
  tempo: PadTempo;
  /** Linear gain, 0 to 32. */
  gain: number;
  /** Pads of one group, 1 and up, stop each other; 0 is no group. */
  chokeGroup: number;
}

/** A sample at the output's sample rate, with faded ends. */
export interface PadSample {
  left: Float32Array<ArrayBuffer>;
  /** The same array as `left` where it is mono. */
  right: Float32Array<ArrayBuffer>;
  /** Its length in beats; null where it has no tempo. */
  beats: number | null;
}

/** Commands to the sampler. Pads are numbered from 0. */
export type SamplerCommand =
  /** Replaces the sample of a pad; null empties it. */
  | { type: 'sample'; pad: number; sample: PadSample | null }
  | { type: 'pad'; pad: number; setting: PadSetting }
  /** @param velocity 0 to 1 */
  | { type: 'press'; pad: number; velocity: number }
  | { type: 'release'; pad: number }
  /** Stops a pad; all pads without one. */
  | { type: 'stop'; pad: number | null }
  | { type: 'output'; volume: number; isCued: boolean };

/** Copies a region of a deck's song, or of one of its stems, as it was recorded; muted stems are left out. */
export interface CaptureCommand {
  type: 'capture';
  /** Number of the request. */
  id: number;
  deck: DeckId;
  /** Index of the source; null for all of them. */
  source: number | null;
  startFrame: number;
  endFrame: number;
}

/** A captured region; without samples where a part of it was not loaded. */
export interface CaptureEvent {
  type: 'captured';
  id: number;
  sampleRateHz: number;
  samples: { left: Float32Array<ArrayBuffer>; right: Float32Array<ArrayBuffer> } | null;
}

/** State of a pad in a report. */
export interface PadReport {
  /** `waiting` for the next beat or bar. */
  state: 'idle' | 'waiting' | 'playing';
  /** Position in the sample, 0 to 1. */
  progress: number;
}

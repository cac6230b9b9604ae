import type { ChunkSamples, StemShape } from '../sources/chunk.ts';

/** What the page tells the mixer. */
export type StemMixerCommand =
  | { type: 'setup'; sampleRateHz: number; stems: readonly StemShape[] }
  | { type: 'chunk'; stem: number; index: number; samples: ChunkSamples }
  | { type: 'drop'; stem: number; index: number }
  | { type: 'play'; id: number }
  | { type: 'pause'; id: number }
  | { type: 'seek'; frame: number; id: number }
  | { type: 'loop'; loop: { startFrame: number; endFrame: number } | null }
  /** Tempo as a factor of the recorded one and key in semitones; without key lock the pitch follows the tempo. */
  | { type: 'tempo'; rate: number; semitones: number; isKeyLocked: boolean }
  | { type: 'gains'; gains: readonly number[] }
  | { type: 'master'; gain: number };

/** What the transport is doing: `buffering` wants to play and waits for samples. */
export type TransportState = 'paused' | 'playing' | 'buffering' | 'ended';

/** What the mixer tells the page, some forty times a second. */
export interface StemMixerReport {
  transport: TransportState;
  /** Where it stands, in sample frames of the stems. */
  frame: number;
  /** Seconds of the song that pass in a second of sound. */
  rate: number;
  /** `id` of the last command of the transport that was carried out: older reports speak of what was before. */
  commandId: number;
  /** The moment of the audio context at which that place is heard, in seconds. */
  timeSeconds: number;
  /** Highest absolute sample of each stem after its fader since the last report. */
  stemPeaks: number[];
  /** The same of what leaves the limiter. */
  outputPeak: number;
}

import type { ChunkSamples, StemShape } from '../sources/chunk.ts';

/** Pan and equaliser of a stem. */
export interface StemTone {
  /** −1 (left) to 1 (right); the centre is as recorded. */
  readonly pan: number;
  /** Gains of the bands as factors; 0 kills a band, 1 leaves it unchanged. */
  readonly low: number;
  readonly mid: number;
  readonly high: number;
}

/**
 * Commands to the stem mixer. `setup` opens group 0; further groups are other separations of the same song, of the same
 * sample rate. Where a command may name a group, the default is 0.
 */
export type StemMixerCommand =
  | { type: 'setup'; sampleRateHz: number; stems: readonly StemShape[] }
  | { type: 'open'; group: number; stems: readonly StemShape[] }
  | { type: 'discard'; group: number }
  /** Switches to a group as soon as it is loaded, at the same position. */
  | { type: 'select'; group: number; gains: readonly number[]; tones?: readonly StemTone[] }
  | { type: 'chunk'; group?: number; stem: number; index: number; samples: ChunkSamples }
  | { type: 'drop'; group?: number; stem: number; index: number }
  | { type: 'play'; id: number }
  | { type: 'pause'; id: number }
  | { type: 'seek'; frame: number; id: number }
  | { type: 'loop'; loop: { startFrame: number; endFrame: number } | null }
  /** Tempo as a factor of the recorded one and key in semitones; without key lock the pitch follows the tempo. */
  | { type: 'tempo'; rate: number; semitones: number; isKeyLocked: boolean }
  /** Faders of the group that plays, with pan and equaliser; these are unchanged where they are omitted. */
  | { type: 'gains'; gains: readonly number[]; tones?: readonly StemTone[] }
  /** Beats of metronome and count-in, in seconds of the song. */
  | { type: 'beats'; beats: readonly number[]; downbeats: readonly number[] }
  /** Clicks on the beats while the song plays; `gain` is linear. */
  | { type: 'metronome'; isOn: boolean; gain: number }
  /** Bars that `play` counts in; 0 for none. */
  | { type: 'count-in'; bars: number }
  | { type: 'master'; gain: number };

/** State of the transport: `buffering` waits for samples, `counting-in` for the end of the count-in. */
export type TransportState = 'paused' | 'counting-in' | 'playing' | 'buffering' | 'ended';

/** State of the mixer, sent some forty times a second. */
export interface StemMixerReport {
  transport: TransportState;
  /** Position in sample frames of the stems. */
  frame: number;
  /** Seconds of the song in one second of output. */
  rate: number;
  /** `id` of the last transport command that was carried out: a report with an older one is outdated. */
  commandId: number;
  /** Group that plays. */
  group: number;
  /** Audio-clock time at which that position is audible, in seconds. */
  timeSeconds: number;
  /** Peak sample of each stem after its fader since the last report. */
  stemPeaks: number[];
  /** Peak sample after the limiter since the last report. */
  outputPeak: number;
}

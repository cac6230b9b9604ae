import type { ChunkSamples, StemShape } from '../sources/chunk.ts';
import type { Arrangement } from './arrangement.ts';
import type { LoudnessReading } from './live-loudness.ts';

/** Commands to the edit mixer. Frames of the timeline and of the sources have the sample rate of the output. */
export type EditMixerCommand =
  | { type: 'setup'; sources: readonly StemShape[] }
  /** Plays another arrangement from the same position on, crossfaded. */
  | { type: 'arrangement'; arrangement: Arrangement }
  | { type: 'chunk'; source: number; index: number; samples: ChunkSamples }
  | { type: 'drop'; source: number; index: number }
  /** `isImmediate` starts without a fade-in, for an export. */
  | { type: 'play'; id: number; isImmediate?: boolean }
  | { type: 'pause'; id: number }
  | { type: 'seek'; frame: number; id: number }
  | { type: 'loop'; loop: { startFrame: number; endFrame: number } | null }
  | { type: 'master'; gain: number };

/** State of the transport: `buffering` waits for samples. */
export type EditTransport = 'paused' | 'playing' | 'buffering' | 'ended';

/** State of the edit mixer, sent some forty times a second. */
export interface EditMixerReport {
  transport: EditTransport;
  /** Position in frames of the timeline. */
  frame: number;
  /** `id` of the last transport command that was carried out: a report with an older one is outdated. */
  commandId: number;
  /** Audio-clock time at which that position is audible, in seconds. */
  timeSeconds: number;
  /** Peak sample of each lane after its strip since the last report. */
  lanePeaks: number[];
  /** Gain reduction of the compressor of each lane, in dB, 0 or less. */
  reductionsDb: number[];
  /** Loudness before the master fader. */
  loudness: LoudnessReading;
  /** Peak sample of the output since the last report. */
  outputPeak: number;
}

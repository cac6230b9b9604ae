import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import type { PadSample } from './sampler-messages.ts';

/** A sample of a pad with its beats, read once or round and round. */
export class LoadedSample {
  readonly frames: number;
  readonly beats: BeatLookup;
  /** Reads the sample once, with silence around it. */
  readonly once: StereoReader;
  /** Reads the sample repeated for ever, silence before it. */
  readonly round: StereoReader;

  constructor({ left, right, beats }: PadSample, sampleRateHz: number) {
    const frames = left.length;
    this.frames = frames;
    const seconds = frames / sampleRateHz;
    const count = beats === null ? 0 : Math.max(1, Math.floor(beats)) + 1;
    const times = Array.from({ length: count }, (_, beat) => (beat * seconds) / (beats ?? 1));
    this.beats = new BeatLookup(times, []);
    this.once = {
      read(from, outLeft, outRight, wanted) {
        for (let n = 0; n < wanted; n++) {
          const frame = from + n;
          const isInside = frame >= 0 && frame < frames;
          outLeft[n] = isInside ? left[frame]! : 0;
          outRight[n] = isInside ? right[frame]! : 0;
        }
      },
    };
    this.round = {
      read(from, outLeft, outRight, wanted) {
        let frame = from < 0 ? from : from % frames;
        for (let n = 0; n < wanted; n++) {
          outLeft[n] = frame < 0 ? 0 : left[frame]!;
          outRight[n] = frame < 0 ? 0 : right[frame]!;
          if (++frame === frames) frame = 0;
        }
      },
    };
  }
}

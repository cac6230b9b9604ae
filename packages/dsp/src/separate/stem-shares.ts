import { bassShare } from './bass-share.ts';
import { drumShare } from './drum-share.ts';
import type { PlaneLender } from './planes.ts';
import type { StereoSpectrogram } from './stereo-spectrogram.ts';
import { voiceForeground } from './voice-foreground.ts';
import { takeVoiceShare } from './voice-share.ts';

/** What each stem has of each bin, 0 to 1, frame after frame; what is left is the fourth. Lent. */
export interface StemShares {
  readonly vocals: Float32Array;
  readonly drums: Float32Array;
  readonly bass: Float32Array;
}

/** A way to divide; told a spectrogram and its magnitude, and whom to tell the part that is done, 0 to 1. */
export type DivideStems = (
  spectrogram: StereoSpectrogram,
  magnitude: Float32Array,
  planes: PlaneLender,
  report: (part: number) => void,
) => StemShares;

/**
 * Divides every bin at once, the fastest way.
 *
 * ```
 * struck? (medians, recurring blows) → low pitch? (bass line) → middle, not repeating, sung melody?
 * ```
 */
export const divideAtOnce: DivideStems = (spectrogram, magnitude, planes, report) => {
  const drums = drumShare(magnitude, planes);
  report(0.4);
  const bass = bassShare(magnitude, drums, planes);
  report(0.5);
  const foreground = voiceForeground(spectrogram, magnitude, planes);
  report(0.75);
  const vocals = takeVoiceShare(magnitude, drums, bass, foreground, planes);
  planes.give(foreground);
  report(1);
  return { vocals, drums, bass };
};

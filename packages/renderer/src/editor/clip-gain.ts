import { fadeGain } from '../gain/fade-curve.ts';
import type { ArrangedClip } from './arrangement.ts';

/**
 * Returns the linear gain of a clip at a frame of the timeline inside it: its own gain, times its fades. Fades are read
 * in the middle of a frame, so that both sides of a crossfade are symmetric.
 */
export function clipGainAt(clip: ArrangedClip, frame: number): number {
  const { startFrame, endFrame, gain, gainBefore, fadeIn, fadeOut } = clip;
  let value = gain;
  const sinceStart = frame - startFrame + 0.5;
  if (sinceStart < fadeIn.frames)
    value = gainBefore + (gain - gainBefore) * fadeGain(fadeIn.curve, sinceStart / fadeIn.frames);
  const toEnd = endFrame - frame - 0.5;
  if (toEnd < fadeOut.frames) value *= fadeGain(fadeOut.curve, toEnd / fadeOut.frames);
  return value;
}

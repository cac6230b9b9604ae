import type { FadeCurve } from '@stem-studio/contract/resources/edit-operation';

/** Length of the crossfade at a start, stop, jump or loop boundary, in seconds. */
export const FADE_SECONDS = 0.005;

/**
 * Gain of the audio that fades in during a crossfade, 0 to 1: a raised cosine. The audio that fades out has 1 minus it,
 * so that both add up to 1 at every sample. Value and slope are continuous at both ends, so that a steady tone gets no
 * corner there.
 *
 * @param progress 0 at the beginning of the crossfade, 1 at its end
 */
export function fadeInGain(progress: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * progress);
}

/** Range of an exponential fade, as a factor: 60 dB. */
const EXPONENTIAL_RANGE = 1000;

/**
 * Gain of a fade-in at a progress of 0 to 1, rising from 0 to 1; a fade-out has the gain at 1 minus its progress.
 *
 * - `linear`: `x`
 * - `equal_power`: `sin(π x / 2)`, whose squares add up to 1 in a crossfade
 * - `exponential`: `(1000^x − 1) / 999`, nearly linear in dB over 60 dB
 * - `s_curve`: the raised cosine of {@link fadeInGain}
 */
export function fadeGain(curve: FadeCurve, progress: number): number {
  switch (curve) {
    case 'linear':
      return progress;
    case 'equal_power':
      return Math.sin((Math.PI / 2) * progress);
    case 'exponential':
      return (EXPONENTIAL_RANGE ** progress - 1) / (EXPONENTIAL_RANGE - 1);
    case 's_curve':
      return fadeInGain(progress);
  }
}

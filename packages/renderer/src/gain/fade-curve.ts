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

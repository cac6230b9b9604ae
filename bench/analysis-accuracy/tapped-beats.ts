import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { detectedRule } from '@stem-studio/dsp/rhythm/grid/detected-grid';
import { rhythmOf } from '@stem-studio/dsp/rhythm/grid/grid-beats';
import { fitTaps } from '@stem-studio/dsp/rhythm/grid/tap-tempo';
import { tappedGrid } from '@stem-studio/dsp/rhythm/grid/tapped-grid';

/** Errors of manual taps in seconds: early on average, some hundredths apart. */
const TAP_ERROR_SECONDS = [-0.031, -0.012, -0.044, -0.002, -0.038, -0.005, -0.029, -0.051] as const;
/** Relative position in a piece at which the taps begin. */
const FROM = 0.3;

/**
 * Returns the beats of a whole piece, in seconds, after eight manual taps at true beats. Empty if there are too few
 * beats.
 *
 * @param found analysis corrected by the taps; without beats only the taps are used
 */
export function tappedBeats(truth: readonly number[], found: TrackAnalysis): readonly number[] {
  const first = Math.floor(truth.length * FROM);
  const fit = fitTaps(TAP_ERROR_SECONDS.map((off, index) => (truth[first + index] ?? Number.NaN) + off));
  if (!fit) return [];
  const { beats = [], downbeats = [], tempo: bpm = 0, time_signature: timeSignature = '' } = found;
  const detected = detectedRule({ beats, downbeats, bpm, timeSignature });
  return rhythmOf(tappedGrid(detected, beats, fit), beats, found.duration_seconds).beats;
}

import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { detectedRule } from '@stem-studio/dsp/rhythm/grid/detected-grid';
import { rhythmOf } from '@stem-studio/dsp/rhythm/grid/grid-beats';
import { fitTaps } from '@stem-studio/dsp/rhythm/grid/tap-tempo';
import { tappedGrid } from '@stem-studio/dsp/rhythm/grid/tapped-grid';

/** How far a hand is off, tap by tap, in seconds: early on the whole, some hundredths apart. */
const HAND_SECONDS = [-0.031, -0.012, -0.044, -0.002, -0.038, -0.005, -0.029, -0.051] as const;
/** Where in a piece somebody begins to tap. */
const FROM = 0.3;

/**
 * The beats of a whole piece after somebody has tapped eight of the true ones, in seconds; none where those are too few.
 *
 * @param found what was heard, to be repaired; without beats the taps stand alone
 */
export function tappedBeats(truth: readonly number[], found: TrackAnalysis): readonly number[] {
  const first = Math.floor(truth.length * FROM);
  const fit = fitTaps(HAND_SECONDS.map((off, index) => (truth[first + index] ?? Number.NaN) + off));
  if (!fit) return [];
  const { beats = [], downbeats = [], tempo: bpm = 0, time_signature: timeSignature = '' } = found;
  const heard = detectedRule({ beats, downbeats, bpm, timeSignature });
  return rhythmOf(tappedGrid(heard, beats, fit), beats, found.duration_seconds).beats;
}

import type { BeatActivations } from './beat-network.ts';
import { BEAT_FRAME_RATE } from './beat-network-input.ts';
import { ONSET_RATE, type OnsetStrength, onsetEnvelope } from './onset-envelope.ts';
import { type Tempogram, tempogram } from './tempogram.ts';

/** Number of lags of the tempogram: 6 s. */
const LAG_COUNT = 512;
/** Largest log-odds of the network that count: beyond, one frame would outvote all others. */
const LARGEST_LOG_ODDS = 6;

/** Returns the chroma between two times in seconds; undefined if it is unknown. */
export type ChromaAt = (fromSeconds: number, toSeconds: number) => Float32Array | undefined;

/** What the analysis measures of a track's rhythm, hop by hop or frame by frame. */
export interface RhythmEvidence {
  readonly onsets: OnsetStrength;
  /** The onset curves combined, with a root mean square of 1; one value per onset hop. */
  readonly envelope: Float32Array;
  readonly gram: Tempogram;
  /** Log-odds of any beat by the network; one value per frame of the network. */
  readonly beatOdds: Float32Array;
  /** Log of the ratio of downbeat and other beat by the network; one value per frame. */
  readonly downbeatOdds: Float32Array;
  readonly chromaAt: ChromaAt;
  readonly durationSeconds: number;
}

/** Combines onset curves and the activations of the network. `loadFft` must have finished. */
export function rhythmEvidence(
  onsets: OnsetStrength,
  { beat, downbeat }: BeatActivations,
  durationSeconds: number,
  chromaAt: ChromaAt,
): RhythmEvidence {
  const raw = onsetEnvelope(onsets);
  const strength = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0) / Math.max(1, raw.length));
  const envelope = raw.map((value) => (strength > 0 ? value / strength : 0));
  const limited = (value: number): number => Math.min(LARGEST_LOG_ODDS, Math.max(-LARGEST_LOG_ODDS, value));
  return {
    onsets,
    envelope,
    gram: tempogram(envelope, LAG_COUNT),
    beatOdds: beat.map((value, frame) => {
      const any = value + (downbeat[frame] ?? 0);
      return limited(Math.log((any + 1e-6) / Math.max(1e-6, 1 - any)));
    }),
    downbeatOdds: beat.map((value, frame) =>
      limited(Math.log(((downbeat[frame] ?? 0) + 1e-4) / (value + 1e-4))),
    ),
    chromaAt,
    durationSeconds,
  };
}

/** Returns the largest value of a curve from `early` before to `late` samples after a time. */
export function maximumNear(curve: Float32Array, position: number, early: number, late: number): number {
  const centre = Math.round(position);
  let largest = 0;
  const end = Math.min(curve.length - 1, centre + late);
  for (let at = Math.max(0, centre - early); at <= end; at++) {
    const value = curve[at] ?? 0;
    if (value > largest) largest = value;
  }
  return largest;
}

/** Returns the onset strength around a time in seconds, within 23 ms before and 35 ms after. */
export function onsetNear(curve: Float32Array, seconds: number): number {
  return maximumNear(curve, seconds * ONSET_RATE, 2, 3);
}

/** Returns the largest log-odds of the network around a time in seconds, within a frame. */
export function oddsNear(odds: Float32Array, seconds: number): number {
  const centre = Math.round(seconds * BEAT_FRAME_RATE);
  let largest = -LARGEST_LOG_ODDS;
  for (let frame = Math.max(0, centre - 1); frame <= Math.min(odds.length - 1, centre + 1); frame++)
    largest = Math.max(largest, odds[frame] ?? largest);
  return largest;
}

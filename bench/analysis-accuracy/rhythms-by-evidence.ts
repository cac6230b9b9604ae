import { decodeActivations } from '@stem-studio/dsp/rhythm/activation-path';
import { decodeBars } from '@stem-studio/dsp/rhythm/bar-path';
import { type BeatActivations, createBeatNetworkKernel } from '@stem-studio/dsp/rhythm/beat-network';
import { BEAT_FRAME_RATE } from '@stem-studio/dsp/rhythm/beat-network-input';
import { chromaDistance } from '@stem-studio/dsp/rhythm/chroma-distance';
import { ONSET_RATE, type OnsetStrength } from '@stem-studio/dsp/rhythm/onset-envelope';
import { createOnsetKernel } from '@stem-studio/dsp/rhythm/onset-strength';
import { oddsNear, rhythmEvidence } from '@stem-studio/dsp/rhythm/rhythm-evidence';
import { rhythmWeights } from '@stem-studio/dsp/rhythm/rhythm-weights';
import { trackRhythm } from '@stem-studio/dsp/rhythm/track-rhythm';
import { estimateTuning, foldToChroma } from '@stem-studio/dsp/tonal/chroma';
import { createPitchKernel, PITCH_HOP, PITCH_SAMPLE_RATE } from '@stem-studio/dsp/tonal/pitch-kernel';

/** Kinds of evidence for beats and bars. */
export const evidenceKinds = ['network', 'onsets', 'drums', 'chords', 'repetition'] as const;
/** Kind of evidence: beat network, onsets, drums, changes of harmony, or repetition of bars. */
export type EvidenceKind = (typeof evidenceKinds)[number];

/** Beats and downbeats in seconds. */
export interface EvidenceRhythm {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

const COLUMN_SECONDS = PITCH_HOP / PITCH_SAMPLE_RATE;
/** Length of the windows whose harmony is compared, in columns. */
const CHANGE_COLUMNS = 3;

/**
 * Returns what the analysis would choose from each kind of evidence alone; null for a kind that has no beats of its own.
 *
 * `network` is the path of the network's activations, with bars by its downbeats and the frequency of metres. `onsets` are the onset curves without harmony and without the bass drum, `drums` the curves of the bass drum and of
 * the snare wires, `chords` the changes of harmony as the only onsets.
 *
 * @param mono samples at 22,050 Hz
 */
export function rhythmsByEvidence(
  mono: Float32Array,
  durationSeconds: number,
): ReadonlyMap<EvidenceKind, EvidenceRhythm | null> {
  const network = createBeatNetworkKernel();
  const onset = createOnsetKernel();
  const pitch = createPitchKernel({ chroma: false });
  for (const kernel of [network, onset, pitch]) kernel.push(mono);
  const activations = network.finish();
  const onsets = onset.finish();
  const { columns } = pitch.finish();
  for (const kernel of [network, onset, pitch]) kernel.dispose();
  const tuning = estimateTuning(columns);
  const chroma = columns.map((column) => foldToChroma(column, tuning));
  const none = new Float32Array(onsets.low.length);
  const changes = changesOf(chroma, onsets.low.length);
  const chromaAt = (from: number, to: number): Float32Array =>
    sumOf(chroma, Math.round(from / COLUMN_SECONDS), Math.round(to / COLUMN_SECONDS));
  const rhythmOf = (curves: OnsetStrength, withChords = false): EvidenceRhythm =>
    trackRhythm(curves, durationSeconds, withChords ? chromaAt : undefined);
  return new Map<EvidenceKind, EvidenceRhythm | null>([
    ['network', rhythmOfNetwork(onsets, activations, durationSeconds)],
    ['onsets', rhythmOf({ ...onsets, drum: none })],
    ['drums', rhythmOf({ low: onsets.drum, middle: none, high: onsets.high, drum: onsets.drum })],
    ['chords', rhythmOf({ low: none, middle: changes, high: none, drum: none }, true)],
    // Repetition tells a tempo, but no phase.
    ['repetition', null],
  ]);
}

/** Returns the beats and downbeats that the network alone suggests. */
function rhythmOfNetwork(
  onsets: OnsetStrength,
  activations: BeatActivations,
  durationSeconds: number,
): EvidenceRhythm {
  const { beatOdds, downbeatOdds } = rhythmEvidence(onsets, activations, durationSeconds, () => undefined);
  const beats = decodeActivations(beatOdds).map((frame) => frame / BEAT_FRAME_RATE);
  const odds = beats.map((beat) => oddsNear(downbeatOdds, beat));
  const [bars] = decodeBars(odds, rhythmWeights.bars, false);
  return { beats, downbeats: (bars?.downbeats ?? []).map((index) => beats[index] ?? 0) };
}

/** Returns the change of harmony as an onset curve: the cosine distance of the harmony before and after each hop. */
function changesOf(chroma: readonly Float32Array[], hops: number): Float32Array {
  const changes = chroma.map((_, column) => {
    const before = sumOf(chroma, column - CHANGE_COLUMNS, column);
    return chromaDistance(before, sumOf(chroma, column, column + CHANGE_COLUMNS));
  });
  const peaks = changes.map((value, column) =>
    value >= (changes[column - 1] ?? 0) && value > (changes[column + 1] ?? 0) ? value : 0,
  );
  const curve = new Float32Array(hops);
  for (const [column, value] of peaks.entries()) {
    const hop = Math.round(column * COLUMN_SECONDS * ONSET_RATE);
    if (hop < hops) curve[hop] = value;
  }
  return curve;
}

function sumOf(columns: readonly Float32Array[], from: number, to: number): Float32Array {
  const sum = new Float32Array(12);
  for (const column of columns.slice(Math.max(0, from), Math.max(0, from + 1, to)))
    for (let pitch = 0; pitch < 12; pitch++) sum[pitch] = (sum[pitch] ?? 0) + (column[pitch] ?? 0);
  return sum;
}

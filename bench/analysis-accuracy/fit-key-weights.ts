// `node bench/analysis-accuracy/fit-key-weights.ts` fits the weight of each kind of evidence for a key to invented songs, and prints
// the weights for `packages/dsp/src/tonal/key.ts`: a logistic choice among the 24 keys by gradient ascent.
import { createMonoStream } from '@stem-studio/dsp/plan/mono-stream';
import { findChords } from '@stem-studio/dsp/tonal/chords';
import { estimateTuning, foldToChroma } from '@stem-studio/dsp/tonal/chroma';
import { sliceHarmony } from '@stem-studio/dsp/tonal/harmony-slices';
import { allKeys, gatherKeyEvidence, type KeyEvidence } from '@stem-studio/dsp/tonal/key-evidence';
import { createPitchKernel, PITCH_HOP, PITCH_SAMPLE_RATE } from '@stem-studio/dsp/tonal/pitch-kernel';
import { measureTonality } from '@stem-studio/dsp/tonal/tonality';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import { type InventedSong, inventSongs } from './invented/invented-songs.ts';

const SONGS = 45;
const STEPS = 400;
const RATE = 3.2;
/** Strength of the L2 regularisation of the weights. */
const RIDGE = 0.02;
const names = ['temperley', 'albrecht', 'tonicFraction', 'cadences', 'opening'] as const;

await loadFft();
const examples = inventSongs(SONGS).map((song) => {
  const chroma = chromaOf(song);
  const { beats = [], downbeats = [] } = song.truth;
  const known = { beats, downbeats, durationSeconds: song.durationSeconds };
  const chords = findChords(
    sliceHarmony({ ...chroma, ...known, columnSeconds: PITCH_HOP / PITCH_SAMPLE_RATE }),
    '',
  );
  const { histogram } = measureTonality(chroma.chroma);
  return {
    evidence: gatherKeyEvidence(chroma.chroma, histogram, chords),
    truth: allKeys.findIndex(({ name }) => name === song.key),
  };
});

const weights = Float64Array.from(names, () => 0);
const scoreOf = (one: KeyEvidence): number =>
  names.reduce((sum, name, at) => sum + (weights[at] ?? 0) * one[name], 0);
for (let step = 0; step < STEPS; step++) {
  const slope = weights.map((weight) => -RIDGE * weight);
  for (const { evidence, truth } of examples) {
    const scores = evidence.map(scoreOf);
    const most = Math.max(...scores);
    const odds = scores.map((score) => Math.exp(score - most));
    const total = odds.reduce((sum, value) => sum + value, 0);
    names.forEach((name, at) => {
      const expected = evidence.reduce((sum, one, key) => sum + ((odds[key] ?? 0) / total) * one[name], 0);
      slope[at] = (slope[at] ?? 0) + (evidence[truth]?.[name] ?? 0) - expected;
    });
  }
  slope.forEach((value, at) => (weights[at] = (weights[at] ?? 0) + (RATE * value) / examples.length));
}
process.stdout.write(`${names.map((name, at) => `${name}: ${(weights[at] ?? 0).toFixed(1)}`).join(', ')}\n`);

function chromaOf(song: InventedSong): { chroma: Float32Array[]; bass: Float32Array[] } {
  const stream = createMonoStream({ fromRate: 44_100, toRate: PITCH_SAMPLE_RATE, channels: 2 });
  const kernel = createPitchKernel();
  kernel.push(stream.push(song.render()));
  kernel.push(stream.flush());
  const { columns, bass } = kernel.finish();
  kernel.dispose();
  const tuning = estimateTuning(columns);
  const fold = (column: Float32Array): Float32Array => foldToChroma(column, tuning);
  return { chroma: columns.map(fold), bass: bass.map(fold) };
}

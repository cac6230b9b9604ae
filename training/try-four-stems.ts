/**
 * Scores, on real pieces, the hand-made rules (`rules`) or the same corrected by a trained network.
 *
 *     node training/try-four-stems.ts rules DATA
 *     node training/try-four-stems.ts FOUR.weights DATA [TRUST]
 *
 * DATA is a folder as the bench `separation` takes it. The shares by the rules are kept in the folder for temporary
 * files, so that a second run costs less.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blurOfBlowsDb, musicalNoise } from '../bench/separation/artefacts.ts';
import { type Piece, recordedPieces, type Stems, stemNames, sumOf } from '../bench/separation/pieces.ts';
import { leakDb, leftBehindDb, median, medianSdrDb } from '../bench/separation/sdr.ts';
import type { StereoSound } from '../packages/dsp/src/separate/four-stems.ts';
import { createPlaneLender } from '../packages/dsp/src/separate/planes.ts';
import { refineStems } from '../packages/dsp/src/separate/refine-stems.ts';
import { divideAtOnce, type StemShares } from '../packages/dsp/src/separate/stem-shares.ts';
import {
  createSpectrogramTransform,
  type StereoSpectrogram,
  writeMagnitude,
} from '../packages/dsp/src/separate/stereo-spectrogram.ts';
import { divideVoiceFirst } from '../packages/dsp/src/separate/voice-first-shares.ts';
import { readStemNetwork } from './stem-network.ts';

const [weightsPath, dataDir, trustText = '1'] = process.argv.slice(2) as [string, string, string?];
const trust = Number(trustText);
const names = ['vocals', 'drums', 'bass'] as const;
const kept = join(tmpdir(), 'stem-studio-rules');
mkdirSync(kept, { recursive: true });
const transform = await createSpectrogramTransform();
const network = weightsPath === 'rules' ? null : readStemNetwork(readFileSync(weightsPath));

/** The shares by the rules, from the folder if they are there. */
function byRules(piece: Piece, spectrogram: StereoSpectrogram): readonly [StemShares, StemShares] {
  const size = spectrogram.leftRe.length;
  const file = join(kept, `${piece.name}.shares`);
  if (!existsSync(file)) {
    const planes = createPlaneLender();
    const magnitude = planes.take(size);
    writeMagnitude(spectrogram, magnitude);
    const parts = [divideAtOnce, divideVoiceFirst].flatMap((divide) => {
      const shares = divide(spectrogram, magnitude, planes, () => {});
      return names.map((name) => Uint16Array.from(shares[name], (x) => Math.round(65_535 * x)));
    });
    writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part.buffer))));
  }
  const bytes = readFileSync(file);
  const values = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const shares = (way: number): StemShares => {
    const plane = (i: number): Float32Array =>
      Float32Array.from(values.subarray((3 * way + i) * size, (3 * way + i + 1) * size), (x) => x / 65_535);
    return { vocals: plane(0), drums: plane(1), bass: plane(2) };
  };
  return [shares(0), shares(1)];
}

const rest = (mixture: StereoSound, parts: readonly StereoSound[]): StereoSound => {
  const sum = sumOf(parts);
  const side = (name: 'left' | 'right'): Float32Array =>
    mixture[name].map((x, i) => x - (sum[name][i] as number));
  return { left: side('left'), right: side('right') };
};

function stemsOf({ mixture }: Piece, spectrogram: StereoSpectrogram, shares: StemShares): Stems {
  const [vocals, drums, bass] = names.map((name) => transform.synthesise(spectrogram, shares[name])) as [
    StereoSound,
    StereoSound,
    StereoSound,
  ];
  return { vocals, drums, bass, other: rest(mixture, [vocals, drums, bass]) };
}

function refined({ mixture }: Piece, spectrogram: StereoSpectrogram, rough: Stems): Stems {
  const spectra = { vocals: 20, drums: 10, bass: 8, other: 24 };
  const described = stemNames.map((name) => ({ sound: rough[name], spectra: spectra[name] }));
  const [vocals, drums, bass] = refineStems(transform, spectrogram, described, 3) as [
    StereoSound,
    StereoSound,
    StereoSound,
  ];
  return { vocals, drums, bass, other: rest(mixture, [vocals, drums, bass]) };
}

const mixed = (a: StemShares, b: StemShares, weight: number): StemShares => {
  const mix = (name: keyof StemShares): Float32Array =>
    a[name].map((x, i) => (1 - weight) * x + weight * (b[name][i] as number));
  return { vocals: mix('vocals'), drums: mix('drums'), bass: mix('bass') };
};

/** Each model, and both opinions as `hybrid_4_ft` has them before its second round. */
function* models(piece: Piece): Generator<[string, Stems]> {
  const spectrogram = transform.analyse(piece.mixture.left, piece.mixture.right);
  const [atOnce, voiceFirst] = byRules(piece, spectrogram);
  const divided = (first: StemShares, second: StemShares): Stems => {
    const shares = mixed(first, second, network === null ? 0.6 : 0);
    network?.correct(spectrogram, shares, second, trust);
    return stemsOf(piece, spectrogram, shares);
  };
  yield ['hybrid_4', divided(atOnce, atOnce)];
  yield ['alt_4', divided(voiceFirst, voiceFirst)];
  const both = divided(atOnce, voiceFirst);
  yield ['both', both];
  yield ['hybrid_4_ft', refined(piece, spectrogram, both)];
}

const columns = [...stemNames, 'leak', 'voice left', 'noise', 'blur'] as const;
type Scores = Record<(typeof columns)[number], number[]>;
const tallies = new Map<string, Scores>();

for await (const piece of recordedPieces(dataDir)) {
  for (const [way, found] of models(piece)) {
    const scores: Scores = tallies.get(way) ?? {
      vocals: [],
      drums: [],
      bass: [],
      other: [],
      leak: [],
      'voice left': [],
      noise: [],
      blur: [],
    };
    tallies.set(way, scores);
    const line: string[] = [];
    for (const stem of stemNames) {
      const sdr = medianSdrDb(piece.stems[stem], found[stem]);
      const value = sdr ?? leakDb(found[stem], piece.mixture);
      scores[sdr === null ? 'leak' : stem].push(value);
      line.push(`${sdr === null ? 'leak ' : ''}${value.toFixed(1)}`);
      if (sdr === null || stem !== 'vocals') continue;
      scores['voice left'].push(leftBehindDb(piece.stems.vocals, found.vocals, piece.mixture));
      scores.noise.push(musicalNoise(transform, piece.stems.vocals, found.vocals));
    }
    const blur = blurOfBlowsDb(piece.stems.drums, found.drums);
    if (!Number.isNaN(blur)) scores.blur.push(blur);
    process.stdout.write(`${piece.name.padEnd(18)} ${way.padEnd(12)} ${line.join('  ')}\n`);
  }
}
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
for (const [way, scores] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
  const cells = columns.map((c) => `${c} ${median(scores[c]).toFixed(2)} (${mean(scores[c]).toFixed(2)})`);
  process.stdout.write(`${way.padEnd(12)} median (mean): ${cells.join(' · ')}\n`);
}

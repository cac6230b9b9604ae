import { readFile } from 'node:fs/promises';
import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { createSixStemSeparator, type SixStemSeparator } from '@stem-studio/dsp/separate/six-stems';
import {
  createSpectrogramTransform,
  type SpectrogramTransform,
} from '@stem-studio/dsp/separate/stereo-spectrogram';
import { createVoiceMaskEstimator } from '@stem-studio/dsp/separate/voice-masks';
import { guitarPianoWeights } from '../packages/separator/src/backends/open-spectral-separator.ts';
import { voiceWeights } from '../packages/separator/src/backends/voice-weights.ts';
import { createStemPresenceDetector } from '../packages/separator/src/stem-presence.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { musicalNoise } from './separation/artefacts.ts';
import {
  demoGuitarPianoPieces,
  type GuitarPianoPiece,
  instruments,
  recordedGuitarPianoPieces,
} from './separation/guitar-piano-pieces.ts';
import { leakDb, median, medianSdrDb } from './separation/sdr.ts';

/** Baselines that assign an instrument a constant part of the remainder of four stems. */
const simpleParts = { 'a third': 1 / 3, 'a half': 1 / 2, all: 1 } as const;
type SimplePart = keyof typeof simpleParts;

/**
 * Measures guitar and piano of `hybrid_6`, compared with constant parts of `other`, and the level of absent
 * instruments.
 */
export const bench: Bench = {
  name: 'six-stems',
  about: 'guitar and piano of hybrid_6, beside a third, a half and all of what four stems leave over',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    const tally = new Tally();
    const voice = await createVoiceMaskEstimator(await readFile(voiceWeights));
    const separator = await createSixStemSeparator(await readFile(guitarPianoWeights), voice);
    const transform = await createSpectrogramTransform();
    for (const piece of demoGuitarPianoPieces(24, 48)) log(tally.score(separator, transform, piece));
    if (dataDir !== null) {
      for await (const piece of recordedGuitarPianoPieces(dataDir)) {
        log(tally.score(separator, transform, piece));
      }
    }
    return tally.rows();
  },
};

class Tally {
  readonly #scores: { instrument: string; sdr: number; simple: Record<SimplePart, number> }[] = [];
  readonly #leaks: number[] = [];
  readonly #openLeaks: number[] = [];
  readonly #noise: number[] = [];
  #wrong = 0;

  /** Scores a piece and returns a line about it. */
  score(
    separator: SixStemSeparator,
    transform: SpectrogramTransform,
    { name, mixture, known }: GuitarPianoPiece,
  ): string {
    const found = separator.separate(mixture.left.slice(), mixture.right.slice());
    const detector = createStemPresenceDetector();
    detector.add(found.presence);
    const absent = detector.absent();
    const { vocals, drums, bass } = found.stems;
    const other = minus(mixture, [vocals, drums, bass]);
    const results = instruments.map((instrument) => {
      const isAbsent = absent.includes(instrument);
      const estimate = isAbsent ? scaled(mixture, 0) : found.stems[instrument];
      const odds = `log odds ${found.presence[instrument].toFixed(1)}`;
      const truth = known[instrument];
      if (truth === undefined) {
        return `${instrument} unknown, ${leakDb(estimate, mixture).toFixed(1)} dB of the mix (${odds})`;
      }
      const sdr = medianSdrDb(truth, estimate);
      if (isAbsent !== (sdr === null)) this.#wrong++;
      if (sdr === null) {
        const leak = leakDb(estimate, mixture);
        this.#leaks.push(leak);
        this.#openLeaks.push(leakDb(found.stems[instrument], mixture));
        return `${instrument} absent, ${leak.toFixed(1)} dB of the mix (${odds})`;
      }
      const simple = Object.fromEntries(
        Object.entries(simpleParts).map(([part, gain]) => [part, medianSdrDb(truth, scaled(other, gain))]),
      ) as Record<SimplePart, number>;
      this.#scores.push({ instrument, sdr, simple });
      if (!isAbsent) this.#noise.push(musicalNoise(transform, truth, estimate));
      return `${instrument} ${sdr.toFixed(2)} dB (a third ${simple['a third'].toFixed(2)}, ${odds})`;
    });
    return `${name}: ${results.join(', ')}`;
  }

  rows(): BenchRow[] {
    const rows: BenchRow[] = [];
    for (const what of [...instruments, 'both'] as const) {
      const scores = this.#scores.filter(({ instrument }) => what === 'both' || instrument === what);
      if (scores.length === 0) continue;
      const of = (take: (values: number[]) => number): string =>
        (Object.keys(simpleParts) as SimplePart[])
          .map((part) => `${part} ${take(scores.map(({ simple }) => simple[part])).toFixed(2)} dB`)
          .join(', ');
      const sdrs = scores.map(({ sdr }) => sdr);
      const parts = `known parts (n = ${scores.length})`;
      const name = what === 'both' ? 'guitar and piano' : what;
      const rowOf = (kind: string, take: (values: number[]) => number): BenchRow => ({
        what: `hybrid_6: ${name}, ${kind} SDR of the ${parts}`,
        value: take(sdrs),
        unit: 'dB',
        against: `${of(take)}, silence 0 dB`,
      });
      rows.push(rowOf('median', median), rowOf('mean', mean));
    }
    rows.push({
      what: 'hybrid_6: guitar and piano, musical noise (kurtosis against that of the truth), median',
      value: median(this.#noise),
      unit: 'decades',
    });
    rows.push({
      what: `hybrid_6: an instrument that is not there, median level (n = ${this.#leaks.length})`,
      value: Math.max(-120, median(this.#leaks)),
      unit: 'dB',
      against: `before presence is decided ${median(this.#openLeaks).toFixed(1)} dB`,
      bar: '≤ −25 dB',
    });
    rows.push({
      what: `hybrid_6: wrong decisions on presence (of ${this.#scores.length + this.#leaks.length})`,
      value: this.#wrong,
      unit: 'instruments',
    });
    return rows;
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x / values.length, 0);

function scaled({ left, right }: StereoAudio, gain: number): StereoAudio {
  return { left: left.map((x) => gain * x), right: right.map((x) => gain * x) };
}

function minus(whole: StereoAudio, parts: readonly StereoAudio[]): StereoAudio {
  const side = (name: 'left' | 'right'): Float32Array =>
    whole[name].map((x, i) => parts.reduce((rest, part) => rest - (part[name][i] as number), x));
  return { left: side('left'), right: side('right') };
}

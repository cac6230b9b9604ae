import { readFile } from 'node:fs/promises';
import {
  createFourStemSeparator,
  type FourStemEstimates,
  type StereoAudio,
} from '@stem-studio/dsp/separate/four-stems';
import {
  createSpectrogramTransform,
  type SpectrogramTransform,
} from '@stem-studio/dsp/separate/stereo-spectrogram';
import { createVoiceMaskEstimator } from '@stem-studio/dsp/separate/voice-masks';
import { fourStemRecipes } from '../packages/separator/src/backends/spectral-recipes.ts';
import { voiceWeights } from '../packages/separator/src/backends/voice-weights.ts';
import { createStemPresenceDetector } from '../packages/separator/src/stem-presence.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { musicalNoise, onsetBlurDb } from './separation/artefacts.ts';
import { separateByCentreAndHpss } from './separation/centre-hpss.ts';
import { demoPieces, type Piece, recordedPieces, type Stems, stemNames, sumOf } from './separation/pieces.ts';
import { leakDb, leftBehindDb, median, medianSdrDb, wholeSdrDb } from './separation/sdr.ts';

const demoSeconds = 24;
type FourStemModel = keyof typeof fourStemRecipes;
/** The models with four stems; `six-stems` measures guitar and piano. */
const models = Object.keys(fourStemRecipes) as FourStemModel[];
/** What whole pieces are scored for. */
const wholeNames = [...stemNames, 'accompaniment'] as const;
const restGoals = { drums: 6.8, bass: 4.3, other: 5 } as const;
/** Goals for the median SDR of recordings, in dB; `alt_4` has none. */
const goals = {
  hybrid_4: { vocals: 6, ...restGoals },
  hybrid_4_ft: { vocals: 6.2, ...restGoals },
  alt_4: null,
} as const satisfies Record<FourStemModel, Readonly<Record<(typeof stemNames)[number], number>> | null>;

/**
 * Measures the quality of the built-in separation, compared with two peers in the same run; `separation-speed` measures
 * its speed.
 */
export const bench: Bench = {
  name: 'separation',
  about: 'each model of the built-in engine: its stems beside the mixture itself and centre + HPSS',
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    const rows = await scorePieces('demo songs', demoPieces(demoSeconds), log);
    if (dataDir !== null) rows.push(...(await scorePieces('recordings', recordedPieces(dataDir), log)));
    return rows;
  },
};

/** Scores of all pieces for one separation method. */
interface Tally {
  readonly scores: Record<(typeof stemNames)[number], number[]>;
  /** Scores of whole pieces. */
  readonly whole: Record<(typeof wholeNames)[number], number[]>;
  /** Levels of stems that are silent in the truth. */
  readonly leaks: number[];
  /** Level of the voice in the other stems. */
  readonly voiceLeft: number[];
  readonly blur: number[];
  /** Musical noise in the vocals. */
  readonly noise: number[];
}

const emptyTally = (): Tally => ({
  scores: { vocals: [], drums: [], bass: [], other: [] },
  whole: { vocals: [], drums: [], bass: [], other: [], accompaniment: [] },
  leaks: [],
  voiceLeft: [],
  blur: [],
  noise: [],
});

function tally(transform: SpectrogramTransform, { mixture, stems }: Piece, found: Stems, kept: Tally): void {
  for (const stem of stemNames) {
    const sdr = medianSdrDb(stems[stem], found[stem]);
    if (sdr === null) kept.leaks.push(leakDb(found[stem], mixture));
    else kept.scores[stem].push(sdr);
    if (sdr === null || stem !== 'vocals') continue;
    kept.voiceLeft.push(leftBehindDb(stems.vocals, found.vocals, mixture));
    kept.noise.push(musicalNoise(transform, stems.vocals, found.vocals));
  }
  // Without a voice the accompaniment is the mixture; it would count leaks twice.
  const isSung = wholeSdrDb(stems.vocals, stems.vocals) !== null;
  for (const name of wholeNames) {
    if (name === 'accompaniment' && !isSung) continue;
    const of = (audio: Stems): StereoAudio =>
      name === 'accompaniment' ? sumOf([audio.drums, audio.bass, audio.other]) : audio[name];
    const sdr = wholeSdrDb(of(stems), of(found));
    if (sdr !== null) kept.whole[name].push(sdr);
  }
  const blur = onsetBlurDb(stems.drums, found.drums);
  if (!Number.isNaN(blur)) kept.blur.push(blur);
}

async function scorePieces(
  what: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  log: BenchOptions['log'],
): Promise<BenchRow[]> {
  const voice = await createVoiceMaskEstimator(await readFile(voiceWeights));
  const ours = await Promise.all(
    models.map(async (model) => ({
      model,
      separator: await createFourStemSeparator(fourStemRecipes[model], voice),
      kept: emptyTally(),
    })),
  );
  const transform = await createSpectrogramTransform();
  const peer = emptyTally();
  const untouched = emptyTally();
  for await (const piece of pieces) {
    const { mixture } = piece;
    for (const { separator, kept } of ours) {
      const { stems, presence } = separator.separate(mixture.left.slice(), mixture.right.slice());
      const detector = createStemPresenceDetector();
      detector.add(presence);
      const absent = detector.absent();
      const audioOf = (stem: keyof FourStemEstimates): StereoAudio =>
        absent.includes(stem) ? silenceOf(mixture) : stems[stem];
      const found = { vocals: audioOf('vocals'), drums: audioOf('drums'), bass: audioOf('bass') };
      tally(transform, piece, withRest(piece, found), kept);
    }
    tally(transform, piece, withRest(piece, separateByCentreAndHpss(transform, mixture)), peer);
    tally(transform, piece, { vocals: mixture, drums: mixture, bass: mixture, other: mixture }, untouched);
    log(`${what}: ${piece.name}`);
  }
  return ours.flatMap(({ model, kept }) => rowsOf(model, what, kept, peer, untouched));
}

function rowsOf(model: FourStemModel, what: string, kept: Tally, peer: Tally, untouched: Tally): BenchRow[] {
  const rows: BenchRow[] = [];
  const goal = what === 'recordings' ? goals[model] : null;
  for (const stem of stemNames) {
    if (kept.scores[stem].length === 0) continue;
    rows.push({
      what: `${model}: ${stem}, median SDR, ${what} (n = ${kept.scores[stem].length})`,
      value: median(kept.scores[stem]),
      unit: 'dB',
      against: `centre + HPSS ${median(peer.scores[stem]).toFixed(1)} dB, mixture ${median(untouched.scores[stem]).toFixed(1)} dB`,
      ...(goal && { bar: `≥ ${goal[stem]} dB` }),
    });
  }
  for (const stem of wholeNames) {
    const values = kept.whole[stem];
    if (values.length === 0) continue;
    rows.push({
      what: `${model}: ${stem}, SDR of whole pieces, median, ${what} (n = ${values.length})`,
      value: median(values),
      unit: 'dB',
      against: `mean ${mean(values).toFixed(2)} dB`,
    });
  }
  const row = (
    about: string,
    name: 'leaks' | 'voiceLeft' | 'blur' | 'noise',
    unit = 'dB',
    bar?: string,
  ): void => {
    if (kept[name].length === 0) return;
    rows.push({
      what: `${model}: ${about}, ${what} (n = ${kept[name].length})`,
      value: median(kept[name]),
      unit,
      against: `centre + HPSS ${median(peer[name]).toFixed(name === 'noise' ? 2 : 1)} ${unit}`,
      ...(bar === undefined ? {} : { bar }),
    });
  };
  row('a stem that is not there, median level', 'leaks', 'dB', '≤ −35 dB');
  if (kept.leaks.length > 0)
    rows.push({
      what: `${model}: a stem that is not there, the loudest, ${what} (n = ${kept.leaks.length})`,
      value: Math.max(...kept.leaks),
      unit: 'dB',
      bar: '≤ −25 dB',
    });
  row('how much of the voice the other stems hold, median', 'voiceLeft');
  row('drums: 10 ms before an onset, louder than they should be, median', 'blur');
  row('voice: musical noise (kurtosis against that of the truth), median', 'noise', 'decades');
  return rows;
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

const silenceOf = ({ left, right }: StereoAudio): StereoAudio => ({
  left: new Float32Array(left.length),
  right: new Float32Array(right.length),
});

/** Returns the estimates and, as `other`, the remainder of the mixture. */
function withRest({ mixture }: Piece, { vocals, drums, bass }: FourStemEstimates): Stems {
  const estimated = sumOf([vocals, drums, bass]);
  return {
    vocals,
    drums,
    bass,
    other: {
      left: mixture.left.map((x, i) => x - (estimated.left[i] as number)),
      right: mixture.right.map((x, i) => x - (estimated.right[i] as number)),
    },
  };
}

import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import type { BenchRow } from '../bench.ts';
import { beatF, isTempo, isTempoOrMultiple } from './beat-score.ts';
import { Calibration } from './calibration.ts';
import { keyScore } from './key-score.ts';
import { Score } from './score.ts';
import { boundaryF, chordOverlap, type Span } from './span-score.ts';
import { tappedBeats } from './tapped-beats.ts';

/** Ground truth of a piece; unknown properties are not scored. */
export interface GroundTruth {
  /** Beats per minute; absent without a constant tempo. */
  readonly bpm?: number;
  /** Whether another metrical level is equally correct: then only its multiples are scored. */
  readonly isAmbiguous?: boolean;
  readonly beats?: readonly number[];
  readonly downbeats?: readonly number[];
  readonly timeSignature?: string;
  readonly key?: string;
  readonly chords?: readonly Span[] | null;
  readonly sections?: readonly Span[] | null;
}

/** F-measure of beats from which a grid counts as correct. */
const RIGHT_GRID = 0.8;
/** F-measure below which beats are off by half a beat: hardly any matches, although the tempo is correct. */
const SLIPPED = 0.1;

/** Targets by the description of a row, such as `≥ 0.95`. */
export type Bars = Readonly<Record<string, string>>;

/** Scores of the analysis of a set of pieces, with the calibration of its confidences. */
export class AccuracyScores {
  readonly #tempo = new Score();
  readonly #multiple = new Score();
  readonly #beats = new Score();
  readonly #slips = new Score();
  readonly #tapped = new Score();
  readonly #tapsAlone = new Score();
  readonly #downbeats = new Score();
  readonly #metre = new Score();
  readonly #key = new Score();
  readonly #exactKey = new Score();
  readonly #chords = new Score();
  readonly #half = new Score();
  readonly #three = new Score();
  readonly #whole = new Score();
  readonly tempoTrust = new Calibration();
  readonly keyTrust = new Calibration();

  /** Scores one piece and returns the detected values as one line. */
  add(truth: GroundTruth, found: TrackAnalysis): string {
    const results: string[] = [];
    if (truth.bpm !== undefined || truth.beats) results.push(this.#addRhythm(truth, found));
    if (truth.key !== undefined) {
      const score = keyScore(truth.key, found.key ?? '');
      this.#key.add(score);
      this.#exactKey.add(score === 1);
      this.keyTrust.add(found.key_confidence ?? 0, score === 1);
      results.push(`${truth.key}, detected ${found.key || 'none'} (${found.key_confidence})`);
    }
    if (truth.chords) {
      const overlap = chordOverlap(truth.chords, found.chords ?? []);
      this.#chords.add(overlap);
      results.push(`chords ${overlap.toFixed(2)}`);
    }
    if (truth.sections && truth.sections.length === 1) {
      const count = found.sections?.length ?? 0;
      this.#whole.add(count === 1);
      results.push(`one section, detected ${count}`);
    } else if (truth.sections) {
      const [half, three] = [0.5, 3].map((seconds) =>
        boundaryF(truth.sections ?? [], found.sections ?? [], seconds),
      );
      this.#half.add(half ?? 0);
      this.#three.add(three ?? 0);
      results.push(`sections ${half?.toFixed(2)} ${three?.toFixed(2)}`);
    }
    return results.join(', ');
  }

  #addRhythm(truth: GroundTruth, found: TrackAnalysis): string {
    const { bpm } = truth;
    const detectedBpm = found.tempo ?? 0;
    let isRight = true;
    if (bpm !== undefined) {
      isRight = truth.isAmbiguous ? isTempoOrMultiple(bpm, detectedBpm) : isTempo(bpm, detectedBpm);
      if (!truth.isAmbiguous) this.#tempo.add(isTempo(bpm, detectedBpm));
      this.#multiple.add(isTempoOrMultiple(bpm, detectedBpm));
    }
    let text = `${bpm ?? 'moving'} bpm, detected ${detectedBpm} (${found.tempo_confidence})`;
    if (truth.beats) {
      const score = beatF(truth.beats, found.beats ?? []);
      this.#beats.add(score);
      this.#tapped.add(beatF(truth.beats, tappedBeats(truth.beats, found)));
      this.#tapsAlone.add(beatF(truth.beats, tappedBeats(truth.beats, { ...found, beats: [] })));
      if (bpm !== undefined && isTempo(bpm, detectedBpm)) this.#slips.add(score < SLIPPED);
      if (!truth.isAmbiguous) isRight &&= score >= RIGHT_GRID;
      text += `, beats ${score.toFixed(2)}`;
    }
    this.tempoTrust.add(found.tempo_confidence ?? 0, isRight);
    if (truth.downbeats && truth.downbeats.length > 0) {
      const score = beatF(truth.downbeats, found.downbeats ?? []);
      this.#downbeats.add(score);
      text += `, downbeats ${score.toFixed(2)}`;
    }
    if (truth.timeSignature) {
      this.#metre.add(truth.timeSignature === found.time_signature);
      text += `, ${truth.timeSignature} detected ${found.time_signature}`;
    }
    return text;
  }

  /**
   * Returns the results of the set, without properties that no piece was scored for.
   *
   * @param bars targets by the description of their row
   */
  rows(prefix = '', bars: Bars = {}): BenchRow[] {
    return this.#means().map(([what, score]) => {
      const bar = bars[what];
      return { ...rowOf(`${prefix}${what} (n = ${score.values.length})`, score.mean), ...(bar && { bar }) };
    });
  }

  /** Returns by how much the results of this set are above those of another, for properties scored in both. */
  differences(prefix: string, other: AccuracyScores): BenchRow[] {
    const others = new Map(other.#means());
    return this.#means().flatMap(([what, score]) => {
      const theirs = others.get(what);
      if (!theirs) return [];
      const against = `${rounded(score.mean)} − ${rounded(theirs.mean)}`;
      return [{ ...rowOf(`${prefix}${what}`, rounded(score.mean) - rounded(theirs.mean)), against }];
    });
  }

  #means(): [string, Score][] {
    const all: [string, Score][] = [
      ['tempo within 4 %', this.#tempo],
      ['tempo, octave forgiven', this.#multiple],
      ['beat F, 70 ms', this.#beats],
      ['beats half a beat off', this.#slips],
      ['beat F after eight manual taps', this.#tapped],
      ['beat F of those taps alone', this.#tapsAlone],
      ['downbeat F, 70 ms', this.#downbeats],
      ['metre', this.#metre],
      ['key, MIREX weighted', this.#key],
      ['key, exact', this.#exactKey],
      ['chords, major-minor overlap', this.#chords],
      ['section boundaries F, 0.5 s', this.#half],
      ['section boundaries F, 3 s', this.#three],
      ['one section where there is one', this.#whole],
    ];
    return all.filter(([, score]) => score.values.length > 0);
  }
}

function rounded(value: number): number {
  return Math.round(1_000 * value) / 1_000;
}

function rowOf(what: string, value: number): BenchRow {
  return { what, value: rounded(value), unit: '' };
}

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
    if (truth.sections) {
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

  /** Returns the results of the set, without properties that no piece was scored for. */
  rows(prefix = '', hasBars = false): BenchRow[] {
    const row = (what: string, score: Score, bar?: string): BenchRow[] =>
      score.values.length === 0
        ? []
        : [
            {
              what: `${prefix}${what} (n = ${score.values.length})`,
              value: Math.round(1_000 * score.mean) / 1_000,
              unit: '',
              ...(hasBars && bar && { bar }),
            },
          ];
    return [
      ...row('tempo within 4 %', this.#tempo, '≥ 0.95'),
      ...row('tempo, octave forgiven', this.#multiple, '≥ 1.0'),
      ...row('beat F, 70 ms', this.#beats, '≥ 0.93'),
      ...row('beats half a beat off', this.#slips, '0'),
      ...row('beat F after eight manual taps', this.#tapped),
      ...row('beat F of those taps alone', this.#tapsAlone),
      ...row('downbeat F, 70 ms', this.#downbeats),
      ...row('metre', this.#metre),
      ...row('key, MIREX weighted', this.#key, '≥ 0.92'),
      ...row('key, exact', this.#exactKey),
      ...row('chords, major-minor overlap', this.#chords, '≥ 0.85'),
      ...row('section boundaries F, 0.5 s', this.#half, '≥ 0.60'),
      ...row('section boundaries F, 3 s', this.#three, '≥ 0.80'),
    ];
  }
}

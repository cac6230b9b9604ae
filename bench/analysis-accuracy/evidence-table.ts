import type { BenchRow } from '../bench.ts';
import type { GroundTruth } from './accuracy-scores.ts';
import { beatF } from './beat-score.ts';
import { type EvidenceKind, type EvidenceRhythm, evidenceKinds } from './rhythms-by-evidence.ts';
import { Score } from './score.ts';

/** What each kind of evidence alone would choose, for the pieces of a set. */
export class EvidenceTable {
  readonly #beats = new Map<EvidenceKind, Score>();
  readonly #downbeats = new Map<EvidenceKind, Score>();

  /** Scores one piece and returns its line: F of the beats and of the downbeats by each kind; `–` for none. */
  add(truth: GroundTruth, rhythms: ReadonlyMap<EvidenceKind, EvidenceRhythm | null>): string {
    const cells = evidenceKinds.map((kind) => {
      const rhythm = rhythms.get(kind);
      if (!rhythm) return `${kind} –`;
      const beats = beatF(truth.beats ?? [], rhythm.beats);
      scoreOf(this.#beats, kind).add(beats);
      if (!truth.downbeats || truth.downbeats.length === 0) return `${kind} ${beats.toFixed(2)}`;
      const downbeats = beatF(truth.downbeats, rhythm.downbeats);
      scoreOf(this.#downbeats, kind).add(downbeats);
      return `${kind} ${beats.toFixed(2)}/${downbeats.toFixed(2)}`;
    });
    return `alone: ${cells.join(', ')}`;
  }

  /** Returns the mean F of each kind of evidence, for beats and downbeats. */
  rows(prefix: string): BenchRow[] {
    const row = (what: string, score: Score | undefined): BenchRow[] =>
      score
        ? [
            {
              what: `${prefix}${what} (n = ${score.values.length})`,
              value: Math.round(1_000 * score.mean) / 1_000,
              unit: '',
            },
          ]
        : [];
    return evidenceKinds.flatMap((kind) => [
      ...row(`${kind} alone: beat F`, this.#beats.get(kind)),
      ...row(`${kind} alone: downbeat F`, this.#downbeats.get(kind)),
    ]);
  }
}

function scoreOf(scores: Map<EvidenceKind, Score>, kind: EvidenceKind): Score {
  const score = scores.get(kind) ?? new Score();
  scores.set(kind, score);
  return score;
}

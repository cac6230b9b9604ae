import type { BenchRow } from '../bench.ts';

const EDGES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;

/** Calibration of confidences: of results with confidence 0.8, four of five should be correct. */
export class Calibration {
  readonly #answers: { confidence: number; isRight: boolean }[] = [];

  add(confidence: number, isRight: boolean): void {
    this.#answers.push({ confidence, isRight });
  }

  /** Merges the results of several sets. */
  static of(parts: readonly Calibration[]): Calibration {
    const whole = new Calibration();
    for (const part of parts) for (const one of part.#answers) whole.add(one.confidence, one.isRight);
    return whole;
  }

  /**
   * Returns the accuracy for each fifth of the confidence range, and the mean deviation (expected calibration error).
   */
  rows(what: string): BenchRow[] {
    let error = 0;
    const rows = EDGES.slice(1).flatMap((to, index): BenchRow[] => {
      const from = EDGES[index] ?? 0;
      const inside = this.#answers.filter(
        ({ confidence }) => confidence >= from && (confidence < to || (to === 1 && confidence <= 1)),
      );
      if (inside.length === 0) return [];
      const right = inside.filter(({ isRight }) => isRight).length / inside.length;
      const meanConfidence = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
      error += (inside.length / this.#answers.length) * Math.abs(right - meanConfidence);
      return [
        {
          what: `${what}: accuracy at confidence ${from} to ${to} (n = ${inside.length})`,
          value: Math.round(1_000 * right) / 1_000,
          unit: '',
          against: `mean ${meanConfidence.toFixed(2)}`,
        },
      ];
    });
    return [
      ...rows,
      {
        what: `${what}: calibration error`,
        value: Math.round(1_000 * error) / 1_000,
        unit: '',
        bar: '≤ 0.1',
      },
    ];
  }
}

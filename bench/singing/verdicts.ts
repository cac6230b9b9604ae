import type { BenchRow } from '../bench.ts';

/** Estimates between 0 and 1 of a binary property, with the truth. */
export class Verdicts {
  readonly #all: { value: number; isSo: boolean }[] = [];

  add(value: number, isSo: boolean): void {
    this.#all.push({ value, isSo });
  }

  /**
   * Returns the area under the ROC curve, and the accuracy at 0.5. The area is the probability that a true case has a
   * higher estimate than a false one.
   */
  rows(prefix: string): BenchRow[] {
    const sorted = this.#all.toSorted((left, right) => left.value - right.value);
    const so = this.#all.filter(({ isSo }) => isSo).length;
    const notSo = this.#all.length - so;
    if (so === 0 || notSo === 0) return [];
    // Equal estimates share their mean rank.
    let rankSum = 0;
    for (let first = 0; first < sorted.length; ) {
      let end = first;
      while (end < sorted.length && sorted[end]?.value === sorted[first]?.value) end++;
      const rank = (first + end + 1) / 2;
      for (let at = first; at < end; at++) if (sorted[at]?.isSo) rankSum += rank;
      first = end;
    }
    const right = this.#all.filter(({ value, isSo }) => value >= 0.5 === isSo).length;
    const row = (what: string, value: number): BenchRow => ({
      what: `${prefix}${what} (n = ${this.#all.length} s, ${so} sung)`,
      value: Math.round(1_000 * value) / 1_000,
      unit: '',
    });
    return [
      row('area under the curve', (rankSum - (so * (so + 1)) / 2) / (so * notSo)),
      row('right at 0.5', right / this.#all.length),
    ];
  }
}

/** Selection of candidates with at most one per beat. */
export class SpreadChoice<C extends { readonly at: number }> {
  readonly #taken: C[] = [];
  /** Distance of each beat to the nearest selected one. */
  readonly #distances: Float64Array;

  /** @param beatCount number of beats; candidates are at 0 to `beatCount` − 1 */
  constructor(beatCount: number) {
    this.#distances = new Float64Array(beatCount).fill(Number.POSITIVE_INFINITY);
  }

  /** Selected candidates in the order of selection. */
  get taken(): readonly C[] {
    return this.#taken;
  }

  /** Selects candidates in order whose beats are free, up to a limit. */
  takeInOrder(candidates: readonly C[], most = Number.POSITIVE_INFINITY): void {
    const until = this.#taken.length + most;
    for (const candidate of candidates) {
      if (this.#taken.length >= until) return;
      if (this.#isFree(candidate)) this.#take(candidate);
    }
  }

  /**
   * Repeatedly selects the candidate furthest from all selected ones, until a number is reached. Ties are decided by
   * `scoreOf` (of the beat), then by order.
   */
  takeSpread(candidates: readonly C[], total: number, scoreOf: (at: number) => number): void {
    while (this.#taken.length < total) {
      let best: C | undefined;
      for (const candidate of candidates) {
        if (this.#isFree(candidate) && (!best || this.#isBetter(candidate, best, scoreOf))) best = candidate;
      }
      if (!best) return;
      this.#take(best);
    }
  }

  #isBetter(candidate: C, best: C, scoreOf: (at: number) => number): boolean {
    const [far, furthest] = [this.#distances[candidate.at] ?? 0, this.#distances[best.at] ?? 0];
    return far > furthest || (far === furthest && scoreOf(candidate.at) > scoreOf(best.at));
  }

  #isFree({ at }: C): boolean {
    return (this.#distances[at] ?? 0) > 0;
  }

  #take(candidate: C): void {
    this.#taken.push(candidate);
    for (let at = 0; at < this.#distances.length; at++) {
      this.#distances[at] = Math.min(this.#distances[at] ?? 0, Math.abs(at - candidate.at));
    }
  }
}

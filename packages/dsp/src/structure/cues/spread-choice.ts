/** Chooses among candidates on beats, never two on the same. */
export class SpreadChoice<C extends { readonly at: number }> {
  readonly #taken: C[] = [];
  /** Beats from each beat to the nearest that is taken. */
  readonly #distances: Float64Array;

  /** @param beatCount beats there are; candidates stand on 0 to `beatCount` − 1 */
  constructor(beatCount: number) {
    this.#distances = new Float64Array(beatCount).fill(Number.POSITIVE_INFINITY);
  }

  /** What was chosen, in that order. */
  get taken(): readonly C[] {
    return this.#taken;
  }

  /** Takes those whose beats are free, one after another, at most so many. */
  takeInOrder(candidates: readonly C[], most = Number.POSITIVE_INFINITY): void {
    const until = this.#taken.length + most;
    for (const candidate of candidates) {
      if (this.#taken.length >= until) return;
      if (this.#isFree(candidate)) this.#take(candidate);
    }
  }

  /**
   * Takes one after another the candidate that lies furthest from all that is taken, until so many are taken in all:
   * what is equally far is decided by `scoreOf` (of its beat), then by coming first.
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

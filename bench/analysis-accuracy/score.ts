/** Scores of several pieces. */
export class Score {
  readonly values: number[] = [];
  /** Adds the score of a piece; `true` is 1. */
  add(value: number | boolean): void {
    this.values.push(Number(value));
  }
  /** Mean of all pieces; 0 without pieces. */
  get mean(): number {
    return this.values.reduce((sum, value) => sum + value, 0) / Math.max(1, this.values.length);
  }
}

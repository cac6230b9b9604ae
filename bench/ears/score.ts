/** Points of several pieces. */
export class Score {
  readonly values: number[] = [];
  /** One piece more; `true` is 1. */
  add(value: number | boolean): void {
    this.values.push(Number(value));
  }
  /** Mean of all pieces; 0 of none. */
  get mean(): number {
    return this.values.reduce((sum, value) => sum + value, 0) / Math.max(1, this.values.length);
  }
}

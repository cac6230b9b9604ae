/** What became of a number that was measured again and again. */
export interface MeansOverTime {
  /** Over everything; 0 of nothing. */
  readonly whole: number;
  /** Of each column; the last one may stand for fewer numbers. */
  readonly columns: readonly number[];
}

/** Reduces a stream of numbers to its mean and to a mean for each so many of them. */
export interface ColumnMeans {
  /** Takes in the next number. */
  add(value: number): void;
  /** The means of what was taken in. */
  finish(): MeansOverTime;
}

/** Means of a stream of numbers with the memory of the columns alone. @param perColumn numbers in a column, 1 or more */
export function createColumnMeans(perColumn: number): ColumnMeans {
  const columns: number[] = [];
  let total = 0;
  let count = 0;
  let columnSum = 0;
  let inColumn = 0;
  const close = (): void => {
    columns.push(columnSum / inColumn);
    columnSum = 0;
    inColumn = 0;
  };
  return {
    add(value) {
      total += value;
      count++;
      columnSum += value;
      if (++inColumn === perColumn) close();
    },
    finish() {
      if (inColumn > 0) close();
      return { whole: count > 0 ? total / count : 0, columns };
    },
  };
}

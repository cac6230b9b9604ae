/** Rounds to a number of decimals; never returns −0. */
export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // Adding 0 turns −0 into 0.
  return Math.round(value * factor) / factor + 0;
}

/** Transposes columns into rows of rounded numbers for JSON. */
export function toRows(columns: readonly Float32Array[], rowCount: number, decimals: number): number[][] {
  return Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => roundTo(column[row] ?? 0, decimals)),
  );
}

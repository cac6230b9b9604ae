const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Returns the index of the largest unit in which `bytes` is at least 1. A value that rounds to 1024 moves to the next
 * unit.
 */
function unitOf(bytes: number): number {
  let unit = 0;
  while (unit < units.length - 1 && Number((bytes / 1024 ** unit).toFixed(1)) >= 1024) unit += 1;
  return unit;
}

const inUnit = (bytes: number, unit: number) => {
  const value = bytes / 1024 ** unit;
  return unit === 0 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
};

/** Formats a number of bytes for display: "2.4 GB". A kB is 1024 bytes, as in file managers. */
export function byteText(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${units[unit]}`;
}

/** Formats a part of a total in the unit of the total: "49.2 of 50 GB". */
export function partialBytesText(part: number, whole: number): string {
  const unit = unitOf(whole);
  return `${inUnit(part, unit)} of ${inUnit(whole, unit)} ${units[unit]}`;
}

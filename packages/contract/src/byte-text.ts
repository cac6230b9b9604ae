const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Index of the largest unit in which `bytes` is at least 1; what rounds up to 1024 of a unit is 1 of the next. */
function unitOf(bytes: number): number {
  let unit = 0;
  while (unit < units.length - 1 && Number((bytes / 1024 ** unit).toFixed(1)) >= 1024) unit += 1;
  return unit;
}

const inUnit = (bytes: number, unit: number) => {
  const value = bytes / 1024 ** unit;
  return unit === 0 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
};

/** A number of bytes for people: "2.4 GB". A kB is 1024 bytes, as file managers count. */
export function byteText(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${units[unit]}`;
}

/** A part of a whole for people, in the unit of the whole: "49.2 of 50 GB". */
export function byteShareText(part: number, whole: number): string {
  const unit = unitOf(whole);
  return `${inUnit(part, unit)} of ${inUnit(whole, unit)} ${units[unit]}`;
}

interface Zone {
  /** Time zone; default: that of the user. */
  readonly timeZone?: string;
}

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options);

/** Formats a time: `14:05` on the day of `now`, `21 Nov, 14:05` in the same year, otherwise with the year. */
export function momentText(time: Date, now: Date, zone: Zone = {}): string {
  const dayOf = (date: Date) => format({ ...zone, dateStyle: 'short' }).format(date);
  const yearOf = (date: Date) => format({ ...zone, year: 'numeric' }).format(date);
  const clock: Intl.DateTimeFormatOptions = { ...zone, hour: '2-digit', minute: '2-digit' };
  if (dayOf(time) === dayOf(now)) return format(clock).format(time);
  const day = format({
    ...zone,
    day: 'numeric',
    month: 'short',
    ...(yearOf(time) !== yearOf(now) && { year: 'numeric' }),
  }).format(time);
  return `${day}, ${format(clock).format(time)}`;
}

/** Formats a time with its date and zone, such as `Monday 23 November 2026 at 14:05:10 GMT+1`. */
export function fullMomentText(time: Date, zone: Zone = {}): string {
  return format({ ...zone, dateStyle: 'full', timeStyle: 'long' }).format(time);
}

/** Formats a duration in seconds: `0.4 s`, `24 s`, `3 min 10 s`, `1 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

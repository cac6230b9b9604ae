const date = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Returns the date of a played set in the user's zone, such as `Mon, Nov 23, 2026`. */
export function playedSetTitle(startedAt: string): string {
  return date.format(new Date(startedAt));
}

/** Returns the time of day in the user's zone, such as `21:05`. */
export function timeOfDay(at: string): string {
  return time.format(new Date(at));
}

/** Returns when a set began and how long it was, such as `21:05, 1 h 40 min`. */
export function playedSetSpan(startedAt: string, endedAt: string): string {
  const minutes = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000);
  const hours = Math.floor(minutes / 60);
  const length = hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  return `${timeOfDay(startedAt)}, ${length}`;
}

/**
 * Returns how long a deleted track can still be restored: `29 days left`, `5 hours left`, `less than an hour left`.
 * Rounded down, so that the text never promises too much.
 *
 * @param seconds time until its files may be removed, in seconds
 */
export function keptText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const days = Math.floor(hours / 24);
  if (days > 0) return days === 1 ? '1 day left' : `${days} days left`;
  if (hours > 0) return hours === 1 ? '1 hour left' : `${hours} hours left`;
  return 'less than an hour left';
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** Formats an ISO time as a date in the zone of the user, such as `23 Nov 2026`; a dash for none. */
export function dateText(time: string | null): string {
  return time === null ? '–' : dates.format(new Date(time));
}

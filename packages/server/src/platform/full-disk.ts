const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space and try again',
  EDQUOT: 'the disk quota is used up: free some space and try again',
  /** disk_full of PostgreSQL */
  '53100': 'the disk of the database is full: free some space and try again',
};

/**
 * Returns the message for the user if the disk is full, or null for any other error. Recognises errors of the operating
 * system and of the database.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html (53100, disk_full)
 */
export function fullDiskSentence(error: unknown): string | null {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return (typeof code === 'string' && sentences[code]) || null;
}

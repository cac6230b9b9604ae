const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room and try again',
  EDQUOT: 'the disk quota is used up: make room and try again',
};

/** What a person reads where the operating system had no room to write; null of any other error. */
export function fullDiskSentence(error: unknown): string | null {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return (typeof code === 'string' && sentences[code]) || null;
}

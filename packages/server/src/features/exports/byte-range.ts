/** Meaning of a `Range` header for a file. */
export type RangeAnswer =
  /** Send the whole file: no range, an unsupported one, or several. */
  | { readonly kind: 'whole' }
  /** Serve `start` up to and including `end`. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  /** Range outside the file: 416. */
  | { readonly kind: 'outside' };

/**
 * Parses a `Range` header with one byte range: `bytes=0-499`, `bytes=500-`, `bytes=-500`. An end beyond the file is
 * truncated to it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function parseByteRange(header: string | undefined, size: number): RangeAnswer {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'outside' } : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= size) return { kind: 'outside' };
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

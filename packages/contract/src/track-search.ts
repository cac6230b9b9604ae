import { parseKey } from './parse-key.ts';

/** Track fields that are searched as text. */
const textFields = ['title', 'artist', 'album', 'genre', 'tag', 'comment', 'model'] as const;
/** Name of a track field that is searched as text. */
export type SearchTextField = (typeof textFields)[number];

/** Track fields that are searched as numbers. */
const numberFields = ['year', 'rating', 'plays'] as const;
/** Name of a track field that is searched as a number. */
export type SearchNumberField = (typeof numberFields)[number];

/** Problem of a term that looks like a condition but is invalid; it is searched as text. */
export type SearchTrouble =
  | 'no value'
  | 'no tempo'
  | 'no single tempo'
  | 'no key'
  | 'no number'
  | 'no time'
  | 'no yes or no';

/** Parsed bound or range of a number, as written. */
export interface SearchTempo {
  /** Lower bound, of a tempo in beats per minute, or null for none. Equal to `to` for a single tempo. */
  readonly from: number | null;
  readonly to: number | null;
  /** Whether the bound itself is excluded, as in `>120`. */
  readonly isFromExcluded: boolean;
  readonly isToExcluded: boolean;
  /** Value of the last written digit: 1, 0.1 or 0.01. An inclusive bound extends by half of it. */
  readonly step: number;
}

/** Condition of one search term. */
export type SearchCondition =
  | { readonly kind: 'text'; readonly text: string; readonly trouble?: SearchTrouble }
  | { readonly kind: 'field'; readonly field: SearchTextField; readonly text: string }
  | { readonly kind: 'number'; readonly field: SearchNumberField; readonly range: SearchTempo }
  /** Added or last played within the last days. */
  | { readonly kind: 'within'; readonly field: 'added' | 'played'; readonly days: number }
  | { readonly kind: 'never_played' }
  /** Whether there is a separation. */
  | { readonly kind: 'stems'; readonly isThere: boolean }
  | { readonly kind: 'bpm'; readonly tempo: SearchTempo }
  | { readonly kind: 'near_bpm'; readonly bpm: number }
  | { readonly kind: 'key' | 'near_key'; readonly key: string };

/** One search term. All terms must match, or not match if `isExcluded`. */
export type SearchTerm = SearchCondition & { readonly isExcluded: boolean };

const fieldHead =
  /(?:~?(?:bpm|key)|title|artist|album|genre|tag|comment|model|year|rating|plays|added|played|stems):/iy;
const keyWithMode = /[a-g][#♯b♭]?\s+(?:minor|major|min|maj)(?=\s|$)/iy;
const bareRun = /\S+/y;
const spaces = /\s*/y;

/** Patterns of a range and of a bound of numbers. */
function rangePatterns(number: string): { range: RegExp; bound: RegExp } {
  return {
    range: new RegExp(`^=?(${number})(?:(?:-|–|\\.\\.)(${number})?)?$`),
    bound: new RegExp(`^(>=|<=|>|<|≥|≤)(${number})$`),
  };
}
const tempi = rangePatterns(String.raw`\d{1,3}(?:[.,]\d{1,2})?`);
const wholeNumbers = rangePatterns(String.raw`\d{1,6}`);

const timeSpan = /^(\d{1,4})(d|w|m|y)?$/i;
const yesOrNo: Readonly<Record<string, boolean>> = { yes: true, no: false };
const daysOf: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/**
 * Parses a track search into terms. `bpm:124`, `bpm:120-128`, `bpm:>120`, `~bpm:124`, `key:Am`, `key:8A`, `~key:8A`,
 * `title:`, `artist:`, `album:`, `genre:`, `tag:`, `comment:`, `model:`, `year:1990-1999`, `rating:>=4`, `plays:0`,
 * `added:7d`, `played:2w`, `played:never` and `stems:yes` filter by a field, with `"quotes"` around values with spaces; a
 * leading `-` excludes; everything else is text, and a quoted phrase is one term. Parsing never fails: an invalid
 * condition becomes text, with the problem in `trouble`.
 *
 * @param text search text; the empty text returns no terms
 */
export function parseTrackSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let at = matchAt(spaces, text, 0).length;
  while (at < text.length) {
    const { term, end } = readTerm(text, at);
    if (term) terms.push(term);
    at = end + matchAt(spaces, text, end).length;
  }
  return terms;
}

/**
 * Returns the tempo range of a search term in beats per minute: at least `min` (more than it if `isMinExcluded`) and
 * less than `below`. A tempo matches when it rounds to the written value: `124` matches 123.5 up to 124.5.
 */
export function tempoBounds(tempo: SearchTempo): {
  min: number | null;
  isMinExcluded: boolean;
  below: number | null;
} {
  const { from, to, isFromExcluded, isToExcluded, step } = tempo;
  return {
    min: from === null || isFromExcluded ? from : from - step / 2,
    isMinExcluded: isFromExcluded,
    below: to === null || isToExcluded ? to : to + step / 2,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Reads the term that begins at `at`, which is not a space; null for an empty phrase. */
function readTerm(text: string, at: number): { term: SearchTerm | null; end: number } {
  const isExcluded = text[at] === '-' && /\S/.test(text[at + 1] ?? '');
  const start = isExcluded ? at + 1 : at;
  const head = matchAt(fieldHead, text, start);
  if (head === '') {
    const { value, end } = readValue(text, start);
    return { term: value === '' ? null : { kind: 'text', text: value, isExcluded }, end };
  }
  const isNear = head.startsWith('~');
  const field = head.slice(isNear ? 1 : 0, -1).toLowerCase();
  const headEnd = start + head.length;
  const valueStart = valueStartAfter(text, headEnd);
  const spacedKey = field === 'key' ? matchAt(keyWithMode, text, valueStart) : '';
  const { value, end } =
    spacedKey === '' ? readValue(text, valueStart) : { value: spacedKey, end: valueStart + spacedKey.length };
  const condition = conditionOf(field, isNear, value);
  if (typeof condition !== 'string') return { term: { ...condition, isExcluded }, end };
  const isApart = valueStart > headEnd;
  const trouble = isApart ? 'no value' : condition;
  const wordEnd = isApart ? headEnd : end;
  // An unclosed phrase may end in spaces.
  const asWritten = text.slice(start, wordEnd).trimEnd();
  return { term: { kind: 'text', text: asWritten, trouble, isExcluded }, end: wordEnd };
}

/** Returns the start of a field's value. A space after the colon is skipped unless another term follows it. */
function valueStartAfter(text: string, headEnd: number): number {
  const next = headEnd + matchAt(spaces, text, headEnd).length;
  const isOther = next >= text.length || text[next] === '-' || matchAt(fieldHead, text, next) !== '';
  return isOther ? headEnd : next;
}

/** Reads a quoted phrase without its quotes (to the end if unclosed), or the text up to the next space. */
function readValue(text: string, at: number): { value: string; end: number } {
  if (text[at] !== '"') {
    const value = matchAt(bareRun, text, at);
    return { value, end: at + value.length };
  }
  const close = text.indexOf('"', at + 1);
  const phrase = close === -1 ? text.slice(at + 1) : text.slice(at + 1, close);
  return { value: phrase.trim(), end: close === -1 ? text.length : close + 1 };
}

function conditionOf(field: string, isNear: boolean, value: string): SearchCondition | SearchTrouble {
  if (value === '') return 'no value';
  if (field === 'key') {
    const key = parseKey(value);
    return key === null ? 'no key' : { kind: isNear ? 'near_key' : 'key', key };
  }
  if (field === 'bpm') {
    const tempo = parseRange(value, tempi);
    if (!tempo) return 'no tempo';
    if (!isNear) return { kind: 'bpm', tempo };
    const isSingle = tempo.from !== null && tempo.from === tempo.to && tempo.from > 0;
    return isSingle ? { kind: 'near_bpm', bpm: tempo.from } : 'no single tempo';
  }
  if (isNumberField(field)) {
    const range = parseRange(value, wholeNumbers);
    return range ? { kind: 'number', field, range } : 'no number';
  }
  if (field === 'added' || field === 'played') {
    if (field === 'played' && value.toLowerCase() === 'never') return { kind: 'never_played' };
    const [, count, unit = 'd'] = timeSpan.exec(value) ?? [];
    if (count === undefined) return 'no time';
    return { kind: 'within', field, days: Number(count) * (daysOf[unit.toLowerCase()] ?? 1) };
  }
  if (field === 'stems') {
    const isThere = yesOrNo[value.toLowerCase()];
    return isThere === undefined ? 'no yes or no' : { kind: 'stems', isThere };
  }
  return { kind: 'field', field: field as SearchTextField, text: value };
}

const isNumberField = (field: string): field is SearchNumberField =>
  (numberFields as readonly string[]).includes(field);

const valueOf = (written: string) => Number(written.replace(',', '.'));
const stepOf = (written: string) => 10 ** -(written.split(/[.,]/)[1]?.length ?? 0);

function parseRange(value: string, patterns: ReturnType<typeof rangePatterns>): SearchTempo | null {
  const bound = patterns.bound.exec(value);
  if (bound) {
    const [, sign = '', written = ''] = bound;
    const isFrom = sign.startsWith('>') || sign === '≥';
    const isExcluded = sign === '>' || sign === '<';
    return {
      from: isFrom ? valueOf(written) : null,
      to: isFrom ? null : valueOf(written),
      isFromExcluded: isFrom && isExcluded,
      isToExcluded: !isFrom && isExcluded,
      step: stepOf(written),
    };
  }
  const range = patterns.range.exec(value);
  if (!range) return null;
  const [, first = '', second] = range;
  const isOpen = second === undefined && /[-–.]$/.test(value);
  const a = valueOf(first);
  const b = second === undefined ? a : valueOf(second);
  return {
    from: Math.min(a, b),
    to: isOpen ? null : Math.max(a, b),
    isFromExcluded: false,
    isToExcluded: false,
    step: Math.min(stepOf(first), stepOf(second ?? first)),
  };
}

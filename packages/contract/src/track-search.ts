import { parseKey } from './parse-key.ts';

/** Fields of a track that are searched as text. */
const textFields = ['title', 'artist', 'album', 'genre', 'tag'] as const;
/** Name of a field that is searched as text. */
export type SearchTextField = (typeof textFields)[number];

/** What was meant by a part that looks like a condition but is none; it is searched as it stands. */
export type SearchTrouble = 'no value' | 'no tempo' | 'no single tempo' | 'no key';

/** A bound or a range of tempi as it was written. */
export interface SearchTempo {
  /** Beats a minute; null for no bound. Equal to `to` where one tempo is asked for. */
  readonly from: number | null;
  readonly to: number | null;
  /** Whether the bound itself is left out, as `>120` says. */
  readonly isFromExcluded: boolean;
  readonly isToExcluded: boolean;
  /** The last digit that was written: 1, 0.1 or 0.01. A bound that is included reaches half of it further. */
  readonly step: number;
}

/** What one part of a search asks for. */
export type SearchCondition =
  | { readonly kind: 'words'; readonly text: string; readonly trouble?: SearchTrouble }
  | { readonly kind: 'field'; readonly field: SearchTextField; readonly text: string }
  | { readonly kind: 'bpm'; readonly tempo: SearchTempo }
  | { readonly kind: 'near_bpm'; readonly bpm: number }
  | { readonly kind: 'key' | 'near_key'; readonly key: string };

/** One part of a search: all of them must hold, or not hold where `isExcluded`. */
export type SearchTerm = SearchCondition & { readonly isExcluded: boolean };

const fieldHead = /(?:~?(?:bpm|key)|title|artist|album|genre|tag):/iy;
const keyOfTwoWords = /[a-g][#♯b♭]?\s+(?:minor|major|min|maj)(?=\s|$)/iy;
const bareRun = /\S+/y;
const spaces = /\s*/y;

const number = String.raw`\d{1,3}(?:[.,]\d{1,2})?`;
const tempoRange = new RegExp(`^=?(${number})(?:(?:-|–|\\.\\.)(${number})?)?$`);
const tempoBound = new RegExp(`^(>=|<=|>|<|≥|≤)(${number})$`);

/**
 * What a search asks for. `bpm:124`, `bpm:120-128`, `bpm:>120`, `~bpm:124`, `key:Am`, `key:8A`, `~key:8A`, `title:`,
 * `artist:`, `album:`, `genre:` and `tag:` narrow by a field, with `"quotes"` around what has spaces; a leading `-`
 * excludes; everything else is words, a quoted phrase being one. Nothing fails: what looks like a condition and is none
 * is words, with what is wrong in `trouble`.
 *
 * @param text what was typed; the empty text asks for nothing
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
 * The tempi that a search takes, in beats a minute: at least `min` (more than it where `isMinExcluded`) and less than
 * `below`. A tempo counts as what was written when it rounds to that: `124` takes 123.5 up to 124.5.
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

/** The part that begins at `at`, where no space is; null for an empty phrase. */
function readTerm(text: string, at: number): { term: SearchTerm | null; end: number } {
  const isExcluded = text[at] === '-' && /\S/.test(text[at + 1] ?? '');
  const start = isExcluded ? at + 1 : at;
  const head = matchAt(fieldHead, text, start);
  if (head === '') {
    const { value, end } = readValue(text, start);
    return { term: value === '' ? null : { kind: 'words', text: value, isExcluded }, end };
  }
  const isNear = head.startsWith('~');
  const field = head.slice(isNear ? 1 : 0, -1).toLowerCase();
  const headEnd = start + head.length;
  const valueStart = valueStartAfter(text, headEnd);
  const spacedKey = field === 'key' ? matchAt(keyOfTwoWords, text, valueStart) : '';
  const { value, end } =
    spacedKey === '' ? readValue(text, valueStart) : { value: spacedKey, end: valueStart + spacedKey.length };
  const condition = conditionOf(field, isNear, value);
  if (typeof condition !== 'string') return { term: { ...condition, isExcluded }, end };
  const isApart = valueStart > headEnd;
  const trouble = isApart ? 'no value' : condition;
  const wordEnd = isApart ? headEnd : end;
  // A phrase that is not closed may end in spaces.
  const asWritten = text.slice(start, wordEnd).trimEnd();
  return { term: { kind: 'words', text: asWritten, trouble, isExcluded }, end: wordEnd };
}

/** Where the value of a field begins: a space after the colon is skipped unless another part stands behind it. */
function valueStartAfter(text: string, headEnd: number): number {
  const next = headEnd + matchAt(spaces, text, headEnd).length;
  const isOther = next >= text.length || text[next] === '-' || matchAt(fieldHead, text, next) !== '';
  return isOther ? headEnd : next;
}

/** A quoted phrase without its quotes, up to the end where it is not closed, or what stands up to the next space. */
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
    const tempo = parseTempo(value);
    if (!tempo) return 'no tempo';
    if (!isNear) return { kind: 'bpm', tempo };
    const isSingle = tempo.from !== null && tempo.from === tempo.to && tempo.from > 0;
    return isSingle ? { kind: 'near_bpm', bpm: tempo.from } : 'no single tempo';
  }
  return { kind: 'field', field: field as SearchTextField, text: value };
}

const valueOf = (written: string) => Number(written.replace(',', '.'));
const stepOf = (written: string) => 10 ** -(written.split(/[.,]/)[1]?.length ?? 0);

function parseTempo(value: string): SearchTempo | null {
  const bound = tempoBound.exec(value);
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
  const range = tempoRange.exec(value);
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

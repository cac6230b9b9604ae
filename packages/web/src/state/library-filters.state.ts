import { createStore } from 'zustand/vanilla';

/** Filters of the library beside the search field; an empty text does not filter. */
export interface LibraryFilters {
  readonly bpmFrom: string;
  readonly bpmTo: string;
  /** Key with sharps, such as `A minor`. */
  readonly key: string;
  /** Whether keys compatible with `key` match too. */
  readonly isKeyNear: boolean;
  readonly tag: string;
  readonly genre: string;
  readonly yearFrom: string;
  readonly yearTo: string;
  /** Least rating in stars, 0 for any. */
  readonly rating: number;
  readonly stems: '' | 'yes' | 'no';
}

/** Filters that match every track. */
export const noFilters: LibraryFilters = {
  bpmFrom: '',
  bpmTo: '',
  key: '',
  isKeyNear: false,
  tag: '',
  genre: '',
  yearFrom: '',
  yearTo: '',
  rating: 0,
  stems: '',
};

/** The filters of the library. */
export const libraryFilters = createStore<LibraryFilters>(() => noFilters);

/** Changes some filters. */
export function setFilters(changed: Partial<LibraryFilters>): void {
  libraryFilters.setState(changed);
}

/** Removes all filters. */
export function clearFilters(): void {
  libraryFilters.setState(noFilters);
}

/** One filter as a term of the search language, and the values that remove it. */
export interface FilterTerm {
  readonly term: string;
  readonly without: Partial<LibraryFilters>;
}

/** Returns the filters as terms of the search language. Values that are no numbers do not filter. */
export function filterTerms(filters: LibraryFilters): FilterTerm[] {
  const { key, isKeyNear, rating, stems } = filters;
  const terms: FilterTerm[] = [];
  const add = (term: string | null, without: Partial<LibraryFilters>) => {
    if (term !== null) terms.push({ term, without });
  };
  add(rangeTerm('bpm', filters.bpmFrom, filters.bpmTo, tempo), { bpmFrom: '', bpmTo: '' });
  add(key === '' ? null : `${isKeyNear ? '~' : ''}key:"${key}"`, { key: '', isKeyNear: false });
  add(textTerm('tag', filters.tag), { tag: '' });
  add(textTerm('genre', filters.genre), { genre: '' });
  add(rangeTerm('year', filters.yearFrom, filters.yearTo, year), { yearFrom: '', yearTo: '' });
  add(rating === 0 ? null : `rating:>=${rating}`, { rating: 0 });
  add(stems === '' ? null : `stems:${stems}`, { stems: '' });
  return terms;
}

const tempo = /^\d{1,3}([.,]\d{1,2})?$/;
const year = /^\d{4}$/;

function rangeTerm(field: string, from: string, to: string, pattern: RegExp): string | null {
  const [least, most] = [from.trim(), to.trim()].map((text) => (pattern.test(text) ? text : ''));
  if (least && most) return `${field}:${least}-${most}`;
  if (least) return `${field}:>=${least}`;
  return most ? `${field}:<=${most}` : null;
}

function textTerm(field: string, text: string): string | null {
  const value = text.replaceAll('"', ' ').trim();
  return value === '' ? null : `${field}:"${value}"`;
}

import type { SearchTempo, SearchTerm, SearchTrouble } from '@stem-studio/contract/track-search';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { keyText } from '../../base/key-text.ts';

const troubles: Readonly<Record<SearchTrouble, string>> = {
  'no value': 'the value is missing',
  'no tempo': 'a tempo is a number, a range such as 120-128, or >120',
  'no single tempo': '~bpm: needs a single tempo',
  'no key': 'a key is such as Am, F# major or 8A',
  'no number': 'a number, a range such as 1990-1999, or >=4 is expected',
  'no yes or no': 'yes or no is expected',
  'no time': 'a time is such as 7d, 2w, 3m or 1y',
};

function rangeText(name: string, { from, to, isFromExcluded, isToExcluded }: SearchTempo): string {
  if (from !== null && to !== null) return from === to ? `${name} ${from}` : `${name} ${from} to ${to}`;
  if (from !== null) return isFromExcluded ? `${name} over ${from}` : `${name} ${from} or more`;
  return isToExcluded ? `${name} under ${to}` : `${name} up to ${to}`;
}

/** Text of one term of a search. */
function termText(term: SearchTerm): string {
  switch (term.kind) {
    case 'text':
      return `“${term.text}”`;
    case 'field':
      return `${term.field} with “${term.text}”`;
    case 'bpm':
      return rangeText('tempo', term.tempo);
    case 'number':
      return rangeText(term.field, term.range);
    case 'within':
      return `${term.field} in the last ${term.days} days`;
    case 'never_played':
      return 'never played';
    case 'stems':
      return term.isThere ? 'with stems' : 'without stems';
    case 'near_bpm':
      return `tempo within 8 % of ${term.bpm}, its half or its double`;
    case 'key':
      return `${keyText(term.key)} (${camelotOf(term.key)})`;
    case 'near_key':
      return `keys compatible with ${keyText(term.key)} (${camelotOf(term.key)})`;
  }
}

/** Returns the text of each term of a search, and why some terms are searched as text. */
export function searchText(terms: readonly SearchTerm[]): { understood: string[]; troubles: string[] } {
  return {
    understood: terms.map((term) => `${term.isExcluded ? 'not ' : ''}${termText(term)}`),
    troubles: terms.flatMap((term) =>
      term.kind === 'text' && term.trouble !== undefined
        ? [`“${term.text}” is searched as text: ${troubles[term.trouble]}`]
        : [],
    ),
  };
}

import type { SearchTempo, SearchTerm, SearchTrouble } from '@stem-studio/contract/track-search';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { keyText } from '../../base/key-text.ts';

const troubles: Readonly<Record<SearchTrouble, string>> = {
  'no value': 'the value is missing',
  'no tempo': 'a tempo is a number, a range such as 120-128, or >120',
  'no single tempo': '~bpm: needs a single tempo',
  'no key': 'a key is such as Am, F# major or 8A',
};

function tempoText({ from, to, isFromExcluded, isToExcluded }: SearchTempo): string {
  if (from !== null && to !== null) return from === to ? `tempo ${from}` : `tempo ${from} to ${to}`;
  if (from !== null) return isFromExcluded ? `tempo over ${from}` : `tempo ${from} or more`;
  return isToExcluded ? `tempo under ${to}` : `tempo up to ${to}`;
}

/** Text of one term of a search. */
function termText(term: SearchTerm): string {
  switch (term.kind) {
    case 'text':
      return `“${term.text}”`;
    case 'field':
      return `${term.field} with “${term.text}”`;
    case 'bpm':
      return tempoText(term.tempo);
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

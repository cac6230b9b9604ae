import { type SearchTempo, type SearchTerm, tempoBounds } from '@stem-studio/contract/track-search';
import { reachableTempi } from '@stem-studio/dsp/mix/tempo-relation';
import { compatibleRelations, keysRelatedTo } from '@stem-studio/dsp/tonal/key-relation';
import { type RawBuilder, sql } from 'kysely';

/** A condition on a row of `tracks`. */
export type TrackCondition = RawBuilder<unknown>;

/** Returns a case-insensitive `like` pattern that finds the text literally anywhere. */
const containing = (text: string) => sql`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`;

/** Returns the condition that the key is one of these. */
export function keyIn(keys: readonly string[]): TrackCondition {
  return sql`key = any(${[...keys]}::text[])`;
}

/** Returns the condition that a pitch fader can match the tempo to `bpm`, its half or its double. */
export function tempoNear(bpm: number): TrackCondition {
  const ranges = reachableTempi(bpm).map(({ min, max }) => sql`bpm between ${min} and ${max}`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function tempoIn(tempo: SearchTempo): TrackCondition {
  const { min, isMinExcluded, below } = tempoBounds(tempo);
  const bounds: TrackCondition[] = [];
  if (min !== null) bounds.push(isMinExcluded ? sql`bpm > ${min}` : sql`bpm >= ${min}`);
  if (below !== null) bounds.push(sql`bpm < ${below}`);
  return sql.join(bounds, sql` and `);
}

function conditionOf(term: SearchTerm): TrackCondition {
  switch (term.kind) {
    case 'text':
      return sql`search_text like ${containing(term.text)}`;
    case 'field': {
      const part = containing(term.text);
      if (term.field === 'genre') return sql`lower(genre) like ${part}`;
      // The index covers the text of all fields: it preselects the tracks, and the field decides.
      const own =
        term.field === 'tag'
          ? sql`exists (select from unnest(tags) tag where lower(tag) like ${part})`
          : sql`lower(${sql.ref(term.field)}) like ${part}`;
      return term.isExcluded ? own : sql`search_text like ${part} and ${own}`;
    }
    case 'bpm':
      return tempoIn(term.tempo);
    case 'near_bpm':
      return tempoNear(term.bpm);
    case 'key':
      return sql`key = ${term.key}`;
    case 'near_key':
      return keyIn(keysRelatedTo(term.key, compatibleRelations));
  }
}

/** Returns the conditions of a search. An excluded term removes only certain matches: a track without a tempo stays. */
export function conditionsOfSearch(terms: readonly SearchTerm[]): TrackCondition[] {
  return terms.map((term) => {
    const condition = conditionOf(term);
    return term.isExcluded ? sql`(${condition}) is not true` : condition;
  });
}

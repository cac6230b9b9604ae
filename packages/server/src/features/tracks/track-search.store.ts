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

/** Fields without an index of their text. */
const plainFields = { genre: 'genre', comment: 'comment', model: 'separation_model' } as const;
const numberColumns = { bpm: 'bpm', year: 'year', rating: 'rating', plays: 'play_count' } as const;
const timeColumns = { added: 'created_at', played: 'last_played_at' } as const;

function within(field: keyof typeof numberColumns, range: SearchTempo): TrackCondition {
  const { min, isMinExcluded, below } = tempoBounds(range);
  const column = sql.ref(numberColumns[field]);
  // Without the cast, half a year would be read as a whole number.
  const bounds: TrackCondition[] = [];
  if (min !== null)
    bounds.push(isMinExcluded ? sql`${column} > ${min}::float8` : sql`${column} >= ${min}::float8`);
  if (below !== null) bounds.push(sql`${column} < ${below}::float8`);
  return sql.join(bounds, sql` and `);
}

function conditionOf(term: SearchTerm, now: Date): TrackCondition {
  switch (term.kind) {
    case 'text':
      return sql`search_text like ${containing(term.text)}`;
    case 'field': {
      const part = containing(term.text);
      if (term.field === 'genre' || term.field === 'comment' || term.field === 'model')
        return sql`lower(${sql.ref(plainFields[term.field])}) like ${part}`;
      // The index covers the text of all fields: it preselects the tracks, and the field decides.
      const own =
        term.field === 'tag'
          ? sql`exists (select from unnest(tags) tag where lower(tag) like ${part})`
          : sql`lower(${sql.ref(term.field)}) like ${part}`;
      return term.isExcluded ? own : sql`search_text like ${part} and ${own}`;
    }
    case 'bpm':
      return within('bpm', term.tempo);
    case 'number':
      return within(term.field, term.range);
    case 'within':
      return sql`${sql.ref(timeColumns[term.field])} >= ${now}::timestamptz - ${term.days} * interval '1 day'`;
    case 'never_played':
      return sql`last_played_at is null`;
    case 'stems':
      return term.isThere ? sql`stems_job_id is not null` : sql`stems_job_id is null`;
    case 'near_bpm':
      return tempoNear(term.bpm);
    case 'key':
      return sql`key = ${term.key}`;
    case 'near_key':
      return keyIn(keysRelatedTo(term.key, compatibleRelations));
  }
}

/** Returns the conditions of a search. An excluded term removes only certain matches: a track without a tempo stays. */
export function conditionsOfSearch(terms: readonly SearchTerm[], now: Date): TrackCondition[] {
  return terms.map((term) => {
    const condition = conditionOf(term, now);
    return term.isExcluded ? sql`(${condition}) is not true` : condition;
  });
}

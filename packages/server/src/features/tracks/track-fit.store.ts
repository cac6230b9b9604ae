import { keyWorth, type MixableSong, UNKNOWN_TEMPO_WORTH } from '@stem-studio/dsp/mix/compatibility';
import { OTHER_COUNT_WORTH, PITCH_FADER_PERCENT, tempoFactors } from '@stem-studio/dsp/mix/tempo-relation';
import {
  boostRelations,
  compatibleRelations,
  keyRelation,
  keysRelatedTo,
} from '@stem-studio/dsp/tonal/key-relation';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { keyIn, type TrackCondition, tempoNear } from './track-search.store.ts';

/** Keys that are compatible with a key, and those that raise its energy. */
const usefulRelations = [...compatibleRelations, ...boostRelations];

function keyScore(key: string): RawBuilder<unknown> {
  if (keyRelation(key, key) === 'unknown') return sql`${keyWorth.unknown}::float8`;
  const cases = keysRelatedTo(key, usefulRelations).map(
    (other) => sql`when ${other} then ${keyWorth[keyRelation(key, other)]}::float8`,
  );
  return sql`case key ${sql.join(cases, sql` `)} when '' then ${keyWorth.unknown}::float8
    else ${keyWorth.clash}::float8 end`;
}

function tempoScore(bpm: number | null): RawBuilder<unknown> {
  if (bpm === null || bpm <= 0) return sql`${UNKNOWN_TEMPO_WORTH}::float8`;
  const scores = tempoFactors.map((factor) => {
    const share = sql`((${bpm}::float8 / (bpm * ${factor}::float8) - 1) * 100 / ${PITCH_FADER_PERCENT}::float8)`;
    return sql`${factor === 1 ? 1 : OTHER_COUNT_WORTH}::float8 / (1 + ${share} * ${share})`;
  });
  return sql`case when bpm > 0 then greatest(${sql.join(scores)}) else ${UNKNOWN_TEMPO_WORTH}::float8 end`;
}

/**
 * Returns the compatibility score of a row of `tracks` with a song, bit-identical to `compatibility` of
 * `@stem-studio/dsp`.
 */
export function fitScore(song: MixableSong): RawBuilder<number> {
  return sql<number>`(${keyScore(song.key)}) * (${tempoScore(song.bpm)})`;
}

/**
 * Returns the ids of a user's live tracks that match one of theirs in key and tempo, best first. Unknown values of the
 * track are not compared; none match where both are unknown.
 */
export async function listFittingTracks(
  db: Db,
  track: MixableSong & { readonly id: string; readonly user_id: number },
  limit: number,
): Promise<string[]> {
  const conditions: TrackCondition[] = [];
  const keys = keysRelatedTo(track.key, usefulRelations);
  if (keys.length > 0) conditions.push(keyIn(keys));
  if (track.bpm !== null && track.bpm > 0) conditions.push(tempoNear(track.bpm));
  if (conditions.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from tracks
    where user_id = ${track.user_id} and deleted_at is null and id <> ${track.id}
      and ${sql.join(conditions, sql` and `)}
    order by ${fitScore(track)} desc, id desc limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

import { createDeckRecord } from '@stem-studio/contract/decks/take-deck-message';
import { hashOfToken } from '../../features/accounts/hash-of-token.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import { newId } from '../../platform/ids.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a deck session of a login of the owner's and returns its id. */
export async function insertDecksOf({ context, owner }: Belongings): Promise<string> {
  const { db, clock } = context;
  const now = clock.now();
  const { id: login_session_id } = await db
    .insertInto('login_sessions')
    .values({
      id: hashOfToken(randomToken()),
      user_id: owner.id,
      user_agent: 'A browser',
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { state, version, taken, acceptTimes } = createDeckRecord();
  const id = newId();
  await db
    .insertInto('deck_sessions')
    .values({
      id,
      login_session_id,
      user_id: owner.id,
      state: JSON.stringify(state),
      version,
      taken: JSON.stringify(taken),
      accept_times: JSON.stringify(acceptTimes),
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

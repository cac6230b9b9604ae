import type { channels } from '@stem-studio/contract/service';
import { accesses } from './access.ts';
import type { Belongings } from './belongings.ts';
import type { Caller } from './callers.ts';
import { insertDecksOf } from './own-decks.ts';

/** Callers that may join a topic; for all others it does not exist. */
export interface TopicRow {
  readonly access: 'users' | 'owner' | 'owner and admins' | 'owner by cookie';
  readonly mayJoin: (caller: Caller) => boolean;
  readonly make: (belongings: Belongings) => Promise<Record<string, string | number>>;
}

function topic(access: TopicRow['access'], make: TopicRow['make']): TopicRow {
  return {
    access,
    make,
    mayJoin: ({ key, ...caller }) => {
      // The scope of the key is tested separately.
      const asked = key === 'no admin' ? { ...caller, key } : caller;
      return accesses[access].outcomeFor(asked, false) === 'answered';
    },
  };
}

/** Required access of each topic of the contract. The type requires a row for every topic. */
export const topicRoles: { readonly [Name in keyof typeof channels]: TopicRow } = {
  jobChannel: topic('owner and admins', async (has) => ({ job_id: await has.waitingJob() })),
  libraryChannel: topic('owner', ({ owner }) => Promise.resolve({ user_id: owner.id })),
  catalogChannel: topic('users', () => Promise.resolve({})),
  deckChannel: topic('owner by cookie', async (has) => ({ deck_session_id: await insertDecksOf(has) })),
  projectChannel: topic('owner by cookie', async (has) => ({ track_id: (await has.track()).id })),
  deckDebugChannel: topic('owner by cookie', async (has) => ({ deck_session_id: await insertDecksOf(has) })),
};

import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { listAllPlays } from './plays.store.ts';

/** The plays of the account export. */
export const playsPart: AccountPart = {
  name: 'plays.json',
  about: 'what you played, and when',
  async *files(context, { userId }) {
    const plays = await listAllPlays(context.db, userId);
    const entries = plays.map(({ user_id: _user, played_at, ...play }) => ({
      ...play,
      played_at: played_at.toISOString(),
    }));
    yield jsonFile('plays.json', context.clock.now(), entries);
  },
};

import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { listCrates, listTrackIds } from './crates.store.ts';

/** The crates of the account export. */
export const cratesPart: AccountPart = {
  name: 'crates.json',
  about: 'your crates: their tracks in order, or their search',
  async *files(context, { userId }) {
    const crates = [];
    for (const { id, name, query, created_at } of await listCrates(context.db, userId)) {
      const track_ids = await listTrackIds(context.db, id);
      crates.push({ id, name, query, created_at: created_at.toISOString(), track_ids });
    }
    yield jsonFile('crates.json', context.clock.now(), crates);
  },
};

import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { trackEntriesPart } from '../tracks/index.ts';
import { listTasksOf } from './cloud/cloud-tasks.store.ts';
import { listStemsOfTracks, presentStem } from './processing.store.ts';

const stems = trackEntriesPart(
  'stems.json',
  'your stems; "link" leads to the audio',
  async ({ db }, tracks, studioUrl) => {
    const rows = await listStemsOfTracks(
      db,
      tracks.map(({ id }) => id),
    );
    return rows.map((stem) => ({ ...presentStem(stem), link: `${studioUrl}/export/stem/${stem.id}` }));
  },
);

const cloud: AccountPart = {
  name: 'cloud.json',
  about: 'what was asked of the cloud service for your tracks, and the minutes it took',
  async *files(context, { userId }) {
    const tasks = await listTasksOf(context.db, userId);
    const shown = tasks.map(({ account, asked_at, ...task }) => ({
      ...task,
      key: account.startsWith('own:') ? 'own' : 'system',
      asked_at: asked_at.toISOString(),
    }));
    yield jsonFile('cloud.json', context.clock.now(), shown);
  },
};

/** Stems and tasks at the cloud separation service in the account export. */
export const processingParts: readonly AccountPart[] = [stems, cloud];

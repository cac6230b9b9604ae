import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { allTracksOf, trackEntriesPart } from '../tracks/index.ts';
import { findAnalysisOfJob, listAnalysesOf } from './analysis.store.ts';
import { listGridStepsOf } from './beat-grid.store.ts';

const grids = trackEntriesPart(
  'beat-grids.json',
  'what you did to the beats of your tracks, step by step',
  ({ db }, tracks) =>
    listGridStepsOf(
      db,
      tracks.map(({ id }) => id),
    ),
);

const analyses: AccountPart = {
  name: 'analyses/',
  about: 'what each analysis found, by track and job',
  async *files(context, { userId }) {
    for await (const tracks of allTracksOf(context, userId)) {
      const ids = tracks.map(({ id }) => id);
      for (const { job_id, track_id, created_at } of await listAnalysesOf(context.db, ids)) {
        const result = await findAnalysisOfJob(context.db, job_id);
        const value = { track_id, job_id, created_at: created_at.toISOString(), result };
        yield jsonFile(`analyses/${track_id}/${job_id}.json`, created_at, value);
      }
    }
  },
};

/** Parts of the account export with beat grids and analyses. */
export const analysisParts: readonly AccountPart[] = [grids, analyses];

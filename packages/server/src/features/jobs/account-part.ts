import { listJobs } from '../../platform/queue/jobs.store.ts';
import { trackEntriesPart, trackKind } from '../tracks/index.ts';
import { presentJobs } from './jobs.service.ts';

/** Part of the account export with the jobs: those of each track, oldest first, then those without a track. */
export const jobsPart = trackEntriesPart(
  'jobs.json',
  'what was done for your tracks, and what became of it',
  async ({ db }, tracks) => {
    const ids = tracks.map(({ id }) => id);
    const rows = await listJobs(db, { subjects: { kind: trackKind, ids } });
    return presentJobs(db, rows.toReversed());
  },
  async ({ db }, userId) => {
    const rows = await listJobs(db, { user_id: userId, exceptKind: trackKind });
    return presentJobs(db, rows.toReversed());
  },
);

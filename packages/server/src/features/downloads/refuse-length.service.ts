import type { Context } from '../../platform/context.ts';
import { fail, type Verdict } from '../../platform/queue/verdict.ts';
import type { TrackRun } from '../tracks/index.ts';
import type { Received } from './receive-audio.ts';
import { recordLength } from './sources.store.ts';
import { longestDifferenceMs } from './tool/score-candidate.ts';

/**
 * Returns the failure of a search result whose length differs too much. The limit is 10 s from the length of the
 * catalog's track. Records the actual length for the list of candidates. Null where it fits, or where the user selected
 * the source.
 */
export async function refuseLength(
  context: Context,
  run: TrackRun,
  { found }: Received,
  durationMs: number,
): Promise<Verdict | null> {
  const expectedMs = found?.expectedMs ?? null;
  if (!found || expectedMs === null || Math.abs(durationMs - expectedMs) <= longestDifferenceMs) return null;
  await recordLength(context.db, run.trackId, found.candidateId, durationMs);
  const [is, should] = [durationMs, expectedMs].map((ms) => Math.round(ms / 1000));
  return fail(
    `The downloaded audio lasts ${is} s, the catalog's track ${should} s. Nothing was stored. Pick another source or upload a file.`,
  );
}

import { attempts, concurrency } from '@stem-studio/contract/limits';
import { planCues } from '@stem-studio/dsp/structure/cues/plan-cues';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';
import { done, fail } from '../../platform/queue/verdict.ts';
import { findNewestGrid } from '../analysis/index.ts';
import { defineTrackWorker, findTrack } from '../tracks/index.ts';
import { completeCues } from './cues.service.ts';

/** Arguments of a cue job: none, since it uses the newest analysis and the effective beats. */
const cuesArgs = storedJson('arguments of a job of the type cues', z.object({}));

/**
 * Computes the cue points of a track from its newest analysis. Runs in-process, because it takes milliseconds.
 *
 * @spec Cue points
 */
export const cuesWorker = defineTrackWorker({
  type: 'cues',
  args: cuesArgs,
  concurrency: () => concurrency.cues,
  attempts: attempts.cues,
  runningStatus: 'processing',
  queuedMessage: 'waiting for other jobs to finish',
  async perform(_args, run, context) {
    await run.report({ progress: 0, message: 'placing cue points' });
    const track = await findTrack(context.db, run.trackId);
    const grid = track && (await findNewestGrid(context.db, track));
    if (!grid) return fail('The track has not been analysed for beats. Analyse it, then press Retry.');
    const plan = planCues({ ...grid, duration_seconds: grid.duration_seconds ?? 0 });
    return done((tx) => completeCues(context, tx, run, grid, plan));
  },
});

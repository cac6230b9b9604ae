import { join } from 'node:path';
import { attempts, concurrency } from '@stem-studio/contract/limits';
import type { MixSettings } from '@stem-studio/contract/resources/mix';
import type { Context } from '../../../platform/context.ts';
import { withJobSpace } from '../../../platform/disk/reserve-space.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { done, fail, type Verdict } from '../../../platform/queue/verdict.ts';
import { secondsLeft } from '../../../platform/seconds-left.ts';
import { listStems } from '../../processing/index.ts';
import {
  defineTrackWorker,
  findTrack,
  listSeconds,
  type TrackRun,
  type TrackWithAudio,
} from '../../tracks/index.ts';
import { renderProjectMix } from '../edit/project-mix.ts';
import { coverPathOf, tagsOf } from '../stem-files.ts';
import { mixBytes, mixFolder, storedMixArgs } from './mix-args.ts';
import { bitDepthOf, mixPartText } from './mix-file.ts';
import { removeOldMixes } from './mixes.sweeper.ts';
import type { RenderMixRequest } from './render-mix.process.ts';
import type { MixStrip } from './render-mix.ts';
import { stripOf } from './strip-of.ts';

/** Returns the audible rows with their files; null where one of them is missing. */
async function stripsOf(
  { db, files }: Context,
  { job_id, rows }: MixSettings,
  track: TrackWithAudio,
): Promise<MixStrip[] | null> {
  const stems = job_id === null ? [] : await listStems(db, job_id);
  const strips: MixStrip[] = [];
  for (const row of rows) {
    if (row.volume === 0) continue;
    const path =
      job_id === null
        ? track.audio?.audio_path
        : stems.find((stem) => stem.track_id === track.id && stem.stem_type === row.source)?.file_path;
    if (path === undefined || !(await files.stat(path))) return null;
    strips.push(stripOf(row, files.absolute(path)));
  }
  return strips;
}

/** Renders into a staging folder and publishes the file. */
async function render(
  context: Context,
  args: MixSettings,
  run: TrackRun,
  track: TrackWithAudio,
  strips: readonly MixStrip[],
): Promise<Verdict> {
  const { clock, config, files } = context;
  const [rate, semitones] = [args.tempo / 100, args.key];
  const startedMs = clock.monotonicMs();
  const message = 'rendering the mix';
  await run.report({ progress: 0, message });
  const output = await files.createStagingFolder();
  try {
    await runInProcess<number>({
      module: new URL('./render-mix.process.ts', import.meta.url),
      limits: decodingLimits('the mix', config.maxDurationSeconds),
      input: {
        strips,
        rate,
        semitones,
        range: args.range,
        durationSeconds: track.duration_ms / 1000,
        maxDurationSeconds: config.maxDurationSeconds,
        outputPath: join(output.path, `mix.${args.format}`),
        format: args.format,
        bitDepth: bitDepthOf(args),
        tags: tagsOf({ track }, mixPartText(args), { rate, semitones }),
        coverPath: await coverPathOf(context, track),
      } satisfies RenderMixRequest,
      signal: run.signal,
      onProgress(fraction) {
        const part = Number(fraction);
        void run.report({
          progress: Math.floor(part * 99),
          message,
          eta_seconds: secondsLeft(clock.monotonicMs() - startedMs, part),
        });
      },
    });
    await output.publishFolder(mixFolder(run.jobId));
    await removeOldMixes(context, run.userId, run.jobId);
    return done(async () => {});
  } finally {
    await output.remove();
  }
}

/** Renders a mix of a track into a file that is kept for a day. */
export const mixWorker = defineTrackWorker({
  type: 'mix',
  args: storedMixArgs,
  concurrency: () => concurrency.mix,
  attempts: attempts.mix,
  runningStatus: 'processing',
  costs: listSeconds,
  queuedMessage: 'waiting for another mix to finish',
  async perform(args, run, context) {
    if (args.project) return renderProjectMix(context, args.project, args, run);
    const track = await findTrack(context.db, run.trackId);
    if (!track?.audio) return fail('The track no longer has audio. Import it again, then press Retry.');
    const strips = await stripsOf(context, args, track);
    if (!strips) return fail('The stems of this mix were deleted. Export the mix again from the track page.');
    const bytes = mixBytes(args, track.duration_ms / 1000, track.audio.sample_rate);
    return withJobSpace(context, run, bytes, () => render(context, args, run, track, strips));
  },
});

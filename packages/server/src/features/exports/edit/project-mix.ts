import { join } from 'node:path';
import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { createProjectExport } from '@stem-studio/contract/endpoints/edit-export';
import { exportFormatTable } from '@stem-studio/contract/export-formats';
import { mixBounds } from '@stem-studio/contract/limits';
import { type MixArgs, type MixExport, mixArgs, type ProjectMix } from '@stem-studio/contract/resources/mix';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { Context } from '../../../platform/context.ts';
import { withJobSpace } from '../../../platform/disk/reserve-space.ts';
import { invalid, stateForbids } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { done, fail, type Verdict } from '../../../platform/queue/verdict.ts';
import { secondsLeft } from '../../../platform/seconds-left.ts';
import { listStems } from '../../processing/index.ts';
import { readProject, showProject } from '../../projects/index.ts';
import { findOwnedTrack, type TrackRun } from '../../tracks/index.ts';
import { extensionOf, mixFolder } from '../mix/mix-args.ts';
import { requestMixJob } from '../mix/mixes.service.ts';
import { removeOldMixes } from '../mix/mixes.sweeper.ts';
import type { RenderEditRequest, RenderEditResult } from './render-edit.process.ts';

const RATE_HZ = 44_100;
/** Largest size of a second of MP3, in bytes. */
const MP3_BYTES = 40_000;

/**
 * Requests a rendering of the caller's project in the background, or returns the unfinished one of the same settings.
 *
 * @throws `NOT_FOUND`, `PROJECT_WITHOUT_STEMS`, `QUOTA_EXCEEDED`
 * @spec Editor exports
 */
export async function requestProjectMix(
  context: Context,
  viewer: Viewer,
  id: string,
  body: HandlerInput<typeof createProjectExport>['body'],
): Promise<{ readonly mix: MixExport; readonly existing: boolean }> {
  const project = await showProject(context, viewer, id);
  const track = await findOwnedTrack(context.db, viewer, project.track_id);
  if (!project.has_stems)
    throw stateForbids(
      'PROJECT_WITHOUT_STEMS',
      'the stems of this project were deleted. Separate the track into the same stems again, then export it',
    );
  const { content, format, bit_depth, normalize, start_ms, end_ms } = body;
  if (start_ms !== undefined && end_ms !== undefined && end_ms - start_ms < 1000 * mixBounds.shortestSeconds)
    throw invalid({
      end_ms: [
        `must be at least ${1000 * mixBounds.shortestSeconds} ms after start_ms (got ${end_ms - start_ms})`,
      ],
    });
  const args = mixArgs.parse({
    job_id: project.job_id,
    rows: [{ source: 'mix' }],
    format,
    ...(exportFormatTable[format].bitDepths.length > 0 && { bit_depth: bit_depth === '16' ? '16' : '24' }),
    range:
      start_ms === undefined || end_ms === undefined ? null : { start: start_ms / 1000, end: end_ms / 1000 },
    project: { id, name: project.name, content, normalize, is_float: bit_depth === '32f' },
  });
  return requestMixJob(context, track, args, exportBytes(args, project.state));
}

/** Returns the largest size of an export, with the files of the lanes before they are in the ZIP. */
function exportBytes({ format, project }: MixArgs, { lanes, reverb }: ProjectState): number {
  const ends = lanes.flatMap(({ clips }) => clips.map(({ start_ms, length_ms }) => start_ms + length_ms));
  const seconds = Math.max(0, ...ends) / 1000 + 2 * reverb.decay_s;
  const perSecond = format === 'mp3' ? MP3_BYTES : RATE_HZ * 2 * (project?.is_float === true ? 4 : 3);
  return Math.ceil(seconds * perSecond * (project?.content === 'stems' ? 2 * lanes.length : 1)) + 2 ** 20;
}

/** Renders a project as it is now into the file of a mix job. */
export async function renderProjectMix(
  context: Context,
  { id, content, normalize, is_float }: ProjectMix,
  args: MixArgs,
  run: TrackRun,
): Promise<Verdict> {
  const { clock, config, db, files } = context;
  const project = await readProject(context, id);
  if (!project) return fail('The project was deleted. Nothing was exported.');
  const stems = await listStems(db, project.job_id);
  if (stems.length === 0)
    return fail('The stems of this project were deleted. Separate the track again, then export the project.');
  return withJobSpace(context, run, exportBytes(args, project.state), async () => {
    const startedMs = clock.monotonicMs();
    const message = 'rendering the project';
    await run.report({ progress: 0, message });
    const output = await files.createStagingFolder();
    const parts = await files.createStagingFolder();
    try {
      const { maxDurationSeconds } = config;
      const range = args.range && {
        start_ms: Math.round(args.range.start * 1000),
        end_ms: Math.round(args.range.end * 1000),
      };
      const result = await runInProcess<RenderEditResult>({
        module: new URL('./render-edit.process.ts', import.meta.url),
        limits: decodingLimits('the export', maxDurationSeconds),
        input: {
          stems: stems.map(({ stem_type, file_path }) => ({
            source: stem_type,
            path: files.absolute(file_path),
          })),
          edit: { state: project.state, range },
          output: {
            path: join(output.path, `mix.${extensionOf(args)}`),
            format: args.format,
            bitDepth: is_float ? '32f' : (args.bit_depth ?? '24'),
            normalize,
          },
          folder: parts.path,
          isPerLane: content === 'stems',
          maxDurationSeconds,
        } satisfies RenderEditRequest,
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
      if ('refusal' in result) return fail(`${result.refusal.message}. Nothing was exported.`);
      await output.publishFolder(mixFolder(run.jobId));
      await removeOldMixes(context, run.userId, run.jobId);
      return done(async () => {});
    } finally {
      await parts.remove();
      await output.remove();
    }
  });
}

import { join } from 'node:path';
import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import { pause } from '../../../platform/clock.ts';
import type { Context } from '../../../platform/context.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { StagingFolder } from '../../../platform/files/files.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { CloudError, cloudKeyRule, fetchStem, findCloudKey } from '../../cloudsep/index.ts';
import { awaitTasks, freshLinks, type Links } from '../cloud/await-tasks.ts';
import { endHeldTasks } from '../cloud/cancel-tasks.ts';
import { type CloudOrder, type CloudRun, reportStage } from '../cloud/cloud-run.ts';
import { settleTask } from '../cloud/cloud-tasks.store.ts';
import { withLocalWorkPermit } from '../cloud/own-work.ts';
import { planSplits } from '../cloud/split-plan.ts';
import { asSeparationError, type StartedTask, startTasks } from '../cloud/start-tasks.ts';
import type { WriteStemsOutcome, WriteStemsRequest } from '../cloud/write-stems.ts';
import {
  type SeparationEngine,
  type SeparationOutcome,
  SeparationRefused,
  type SeparationRequest,
} from '../separation-engine.ts';

/** Number of attempts to download a stem when the connection breaks. */
const fetchAttempts = 4;
/** Largest data rate of a stem, in bytes per second: two channels of 192 kHz in 32 bits. */
const finestBytes = 2 * 192_000 * 4;

/**
 * Creates the engine that separates at the cloud service. It uploads the song, splits it by as many calls as the stems
 * need, downloads the results and writes them as stems of this studio.
 *
 * `song → FLAC → upload → splits → links → 44.1 kHz stereo WAV`
 */
export function createCloudEngine(
  context: Context,
  order: CloudOrder & { readonly durationSeconds: number },
): SeparationEngine {
  return {
    async separate(request, { signal, report }) {
      let run: CloudRun | null = null;
      try {
        const key = await findCloudKey(context, order.userId);
        if (!key) throw new SeparationRefused(cloudKeyRule);
        run = { context, order, key, signal, report, held: new Set() };
        return await separate(run, request, order.durationSeconds);
      } catch (error) {
        // Uses task ids and the loaded key, since job, key and user may be deleted. Does nothing unless the job was
        // cancelled.
        if (run && run.held.size > 0) {
          await endHeldTasks(context, [...run.held], run.key).catch((problem: unknown) =>
            context.log.warn({ job_id: order.jobId }, `a task could not be ended: ${messageOf(problem)}`),
          );
        }
        throw asSeparationError(error);
      }
    },
  };
}

async function separate(
  run: CloudRun,
  request: SeparationRequest,
  durationSeconds: number,
): Promise<SeparationOutcome> {
  const splits = planSplits(run.order.stemTypes);
  const { tasks, gain } = await startTasks(run, request, { splits, durationSeconds });
  const links = await awaitTasks(run, tasks);
  const staging = await run.context.files.createStagingFolder();
  try {
    const stems = await fetchStems(run, links, { staging, durationSeconds });
    const written = await writeStems(run, request, { stems, gain });
    const silent = stems.flatMap(({ stemType, path }) => (path === null ? [stemType] : []));
    return {
      stems: written.stems,
      backend: 'cloudsep',
      network: null,
      cloud: {
        residualDb: written.residualDb,
        warnings: silent.map(
          (type) =>
            `${type.replaceAll('_', ' ')}: none was detected by the cloud service, so the stem is silent`,
        ),
      },
    };
  } finally {
    await staging.remove();
  }
}

interface FetchedStem {
  readonly stemType: CloudStemType;
  readonly path: string | null;
}

async function fetchStems(
  run: CloudRun,
  links: ReadonlyMap<StartedTask, Links>,
  to: { staging: StagingFolder; durationSeconds: number },
): Promise<FetchedStem[]> {
  const wanted = [...links].flatMap(([task, found]) =>
    [...found].map(([stemType, link]) => ({ task, stemType, link })),
  );
  const stems: FetchedStem[] = [];
  for (const { task, stemType, link } of wanted) {
    reportStage(
      run,
      'downloading',
      stems.length / wanted.length,
      `downloading ${stemType.replaceAll('_', ' ')}`,
    );
    const path = link === null ? null : join(to.staging.path, `${stemType}.received`);
    if (link !== null && path !== null)
      await fetchPersistently(run, { task, stemType, link }, path, to.durationSeconds);
    stems.push({ stemType, path });
  }
  const indexOf = new Map(run.order.stemTypes.map((type, index) => [type, index]));
  return stems.toSorted((a, b) => (indexOf.get(a.stemType) ?? 0) - (indexOf.get(b.stemType) ?? 0));
}

async function fetchPersistently(
  run: CloudRun,
  stem: { readonly task: StartedTask; readonly stemType: CloudStemType; readonly link: string },
  path: string,
  durationSeconds: number,
): Promise<void> {
  const { url, replySeconds } = run.context.config.cloudsep;
  let { link } = stem;
  let isFresh = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchStem(link, {
        path,
        serviceUrl: url,
        silenceSeconds: replySeconds,
        longestBytes: Math.ceil(finestBytes * (durationSeconds + 10)),
        signal: run.signal,
      });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.problem === 'gone' && !isFresh) {
        isFresh = true;
        link = (await freshLinks(run, stem.task)).get(stem.stemType) ?? link;
        continue;
      }
      if (error.problem === 'gone') {
        const { db, clock } = run.context;
        await settleTask(db, stem.task.row.id, 'lost', clock.now());
        throw new SeparationRefused(
          'the stems are no longer at the cloud service, which keeps them for a day: Retry separates the song again and is charged again',
        );
      }
      if (!error.isPassing || attempt >= fetchAttempts) throw error;
      await pause(250 * 2 ** attempt, run.signal);
      run.signal.throwIfAborted();
    }
  }
}

async function writeStems(
  run: CloudRun,
  request: SeparationRequest,
  { stems, gain }: { stems: readonly FetchedStem[]; gain: number },
): Promise<Extract<WriteStemsOutcome, { kind: 'written' }>> {
  const { config } = run.context;
  reportStage(run, 'writing', 0, 'writing the stems');
  const outcome = await withLocalWorkPermit(run.signal, () =>
    runInProcess<WriteStemsOutcome>({
      module: new URL('../cloud/write-stems.process.ts', import.meta.url),
      limits: decodingLimits('the recording', config.maxDurationSeconds),
      input: {
        songPath: request.inputPath,
        stems,
        outputFolder: request.output.path,
        bitDepth: config.stemBitDepth,
        gain,
        maxSeconds: request.maxSeconds,
        maxDurationSeconds: config.maxDurationSeconds,
      } satisfies WriteStemsRequest,
      signal: run.signal,
      onProgress: (fraction) => reportStage(run, 'writing', Number(fraction), 'writing the stems'),
    }),
  );
  if (outcome.kind === 'unusable') throw new SeparationRefused(outcome.why);
  return outcome;
}

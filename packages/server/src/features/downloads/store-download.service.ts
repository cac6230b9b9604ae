import type { Context } from '../../platform/context.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { StagingFolder } from '../../platform/files/files.ts';
import { done, type Verdict } from '../../platform/queue/verdict.ts';
import {
  type AudioSourceRow,
  findRendition,
  findSourceByKey,
  insertRendition,
  insertSource,
  type TrackRun,
} from '../tracks/index.ts';
import { completeDownload } from './complete-download.service.ts';
import { publishSource } from './describe-source.ts';
import { type DownloadArgs, sourceFolder } from './download-args.ts';
import { requireKept } from './known-source.service.ts';
import type { PreparedAudio } from './prepare-download.service.ts';
import { discard, type Received } from './receive-audio.ts';

/** Completes a download whose audio is stored in the requested quality already. */
export function reuseRendition(
  context: Context,
  run: TrackRun,
  args: DownloadArgs,
  received: Received,
  known: AudioSourceRow,
): Verdict {
  return done(async (tx) => {
    await requireKept(context, tx, args, received, known);
    await completeDownload(context, tx, run, received, known, args.quality);
    await discard(context, received, known, tx);
  });
}

/** Publishes prepared files and completes the download with the rows that name them. */
export async function storeDownload(
  context: Context,
  run: TrackRun,
  { args, received, known }: { args: DownloadArgs; received: Received; known: AudioSourceRow | undefined },
  prepared: PreparedAudio,
  staging: StagingFolder,
): Promise<Verdict> {
  const { quality } = args;
  // The same bytes of another user are stored once for both; what this job made is deleted unless it is missing there.
  const stored = known ?? (await findSourceByKey(context.db, received.sourceKey));
  const isMade = stored !== undefined && (await findRendition(context.db, stored.id, quality)) !== undefined;
  const folder = sourceFolder(stored && !isMade ? stored.id : (known?.id ?? received.sourceId));
  const { renditionName } = prepared.outcome;
  const renditionPath = `${folder}/${quality}.${renditionName.split('.').at(-1)}`;
  const rendition = await staging.publish(renditionName, renditionPath);
  const own = known ?? (await publishSource(context, received, prepared, staging));
  const row = stored ?? own;
  return done(async (tx) => {
    await requireKept(context, tx, args, received, stored);
    if (!stored && !(await insertSource(tx, row))) {
      // Another worker received the same bytes at the same moment: the next attempt finds its row.
      if (args.source.kind !== 'upload') await context.files.removeFolder(sourceFolder(row.id));
      throw new RetryableError('the same audio was received twice at the same time');
    }
    if (!isMade)
      await insertRendition(tx, {
        source_id: row.id,
        quality,
        file_path: renditionPath,
        file_size: rendition.bytes,
        created_at: context.clock.now(),
      });
    await completeDownload(context, tx, run, received, row, quality);
    if (stored) await discard(context, received, stored, tx);
  });
}

import { cloudStemType, type Engine } from '@stem-studio/contract/resources/stem';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import { subjectColumns } from '../../platform/queue/job-subject.ts';
import { insertJob, updateJob } from '../../platform/queue/jobs.store.ts';
import { trackSubject } from '../tracks/index.ts';
import { completeSeparation } from './processing.service.ts';
import { type ProcessingArgs, stemFolder, storedProcessingArgs } from './processing-args.ts';
import type { SeparationOutcome } from './separation-engine.ts';

/** A separation that was made in another studio. Its files are in the folder of the job already. */
export interface AdoptedSeparation extends SeparationOutcome {
  readonly jobId: string;
  readonly trackId: string;
  readonly userId: number;
  readonly engine: Engine;
  readonly model: SeparationModelName;
  /** Sizes of the files in bytes, by file name. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Returns the folder of the stems of an adopted separation, for its files. */
export const adoptedFolder = stemFolder;

/**
 * Inserts the stems of a separation of another studio as a completed job of a track, in the caller's transaction.
 *
 * @spec Project archives
 */
export async function adoptSeparation(context: Context, tx: Tx, adopted: AdoptedSeparation): Promise<void> {
  const { jobId, trackId, userId, engine, model, stems } = adopted;
  const cloudTypes = stems.flatMap(({ stemType }) => cloudStemType.safeParse(stemType).data ?? []);
  const args: ProcessingArgs = {
    model,
    engine,
    preview: false,
    ...(engine === 'cloud' && { stem_types: cloudTypes }),
  };
  const now = context.clock.now();
  await insertJob(tx, {
    id: jobId,
    type: 'processing',
    user_id: userId,
    ...subjectColumns(trackSubject(trackId)),
    args: storedProcessingArgs.toStored(args) as JobRow['args'],
    batch_id: null,
    message: '',
    max_attempts: 1,
    created_at: now,
  });
  // Without a start, so that it does not count as a measured speed of this machine.
  await updateJob(tx, jobId, { status: 'completed', progress: 100, finished_at: now });
  await completeSeparation(context, tx, { jobId, trackId, userId }, args, adopted, adopted.sizes);
}

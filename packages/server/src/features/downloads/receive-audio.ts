import { createHash } from 'node:crypto';
import { whileNoBackup } from '../../platform/backup/deletion-hold.store.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { StagingFile } from '../../platform/files/files.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { newId } from '../../platform/ids.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { receiveTrack } from '../catalog/index.ts';
import type { AudioSourceRow, TrackRun } from '../tracks/index.ts';
import { catalogKey, type DownloadArgs, sourceFolder, uploadKey } from './download-args.ts';
import { type FoundReceived, receiveBySearch } from './tool/receive-by-search.ts';

/** Percentage of the progress that receiving takes; the rest is decoding and encoding. */
export const receivingPercent = 30;

/** Audio that is stored in its folder and has no row yet. */
export interface Received {
  readonly sourceId: string;
  readonly sourceKey: string;
  /** Details of the search result, for searched audio. */
  readonly found?: Pick<FoundReceived, 'candidateId' | 'expectedMs'>;
  /** Whether its stems are stored already. */
  readonly hasStems?: boolean;
}

/** Forwards bytes and computes their SHA-256. `patch` changes the file only, so the key is that of the stream. */
function hashing(out: StagingFile): { out: StagingFile; sha256: () => string } {
  const hash = createHash('sha256');
  return {
    out: {
      append(bytes) {
        hash.update(bytes);
        return out.append(bytes);
      },
      patch: (offset, bytes) => out.patch(offset, bytes),
    },
    sha256: () => hash.digest('hex'),
  };
}

/** Receives the audio of a download into a folder of its own; an upload is stored in one already. */
export async function receiveAudio(context: Context, args: DownloadArgs, run: TrackRun): Promise<Received> {
  const { source } = args;
  if (source.kind === 'upload')
    return {
      sourceId: source.source_id,
      sourceKey: uploadKey(source.sha256),
      hasStems: source.has_stems === true,
    };
  if (source.kind === 'search') {
    const { sourceId, sourceKey, ...found } = await receiveBySearch(context, source, run);
    return { sourceId, sourceKey, found };
  }
  const sourceId = newId();
  let sha256 = '';
  const startedMs = context.clock.monotonicMs();
  await run.report({ status: 'downloading', progress: 0, message: 'receiving from the catalog' });
  await context.files.writeAtomically(`${sourceFolder(sourceId)}/received`, async (file) => {
    const hashed = hashing(file);
    await receiveTrack(context, source.catalog_id, hashed.out, {
      signal: run.signal,
      onProgress: (fraction) =>
        void run.report({
          progress: Math.floor(fraction * receivingPercent),
          message: 'receiving from the catalog',
          eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, fraction),
        }),
    });
    sha256 = hashed.sha256();
  });
  return { sourceId, sourceKey: catalogKey(source.catalog_id, sha256) };
}

/**
 * Removes the bytes that this job received. With a transaction they are removed by the first sweep after its commit, or
 * a later one while a backup runs, which may contain the job that names them. A repeated upload may be the known source
 * itself, which stays.
 */
export async function discard(
  context: Context,
  received: Received,
  known: AudioSourceRow | undefined,
  tx?: Tx,
): Promise<void> {
  if (received.sourceId === known?.id) return;
  const folder = sourceFolder(received.sourceId);
  if (!tx) await whileNoBackup(context, () => context.files.removeFolder(folder));
  // Removed only after the commit: an attempt after a rollback needs the bytes of an upload again.
  else await markFoldersForDeletion(context, tx, [folder]);
}

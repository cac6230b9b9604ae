import { attempts } from '@stem-studio/contract/limits';
import type { Context } from '../../platform/context.ts';
import { withJobSpace } from '../../platform/disk/reserve-space.ts';
import { failure } from '../../platform/errors.ts';
import { fail, type Verdict } from '../../platform/queue/verdict.ts';
import {
  type AudioSourceRow,
  defineTrackWorker,
  findRendition,
  findTrack,
  listSeconds,
  type TrackRun,
} from '../tracks/index.ts';
import { failDownload } from './complete-download.service.ts';
import { type DownloadArgs, sourceFolder, storedDownloadArgs } from './download-args.ts';
import { explainDownloadFailure } from './explain-download-failure.ts';
import { findOwnSource, requireKept } from './known-source.service.ts';
import { prepareDownload } from './prepare-download.service.ts';
import { discard, type Received, receiveAudio } from './receive-audio.ts';
import { refuseLength } from './refuse-length.service.ts';
import { reuseRendition, storeDownload } from './store-download.service.ts';

async function download(args: DownloadArgs, run: TrackRun, context: Context): Promise<Verdict> {
  const received = await receiveAudio(context, args, run);
  const known = await findOwnSource(context, run, received);
  try {
    const verdict =
      (known && (await refuseLength(context, run, received, known.duration_ms))) ??
      (await prepareAndStore(context, args, run, received, known));
    if (verdict.kind !== 'done') await discard(context, received, known);
    return verdict;
  } catch (error) {
    // The bytes of an upload cannot be received again: they are kept for the next attempt, and deleted with the track.
    if (args.source.kind !== 'upload') await discard(context, received, known);
    await requireKept(context, context.db, args, received, known);
    throw error;
  }
}

async function prepareAndStore(
  context: Context,
  args: DownloadArgs,
  run: TrackRun,
  received: Received,
  known: AudioSourceRow | undefined,
): Promise<Verdict> {
  if (known && (await findRendition(context.db, known.id, args.quality)))
    return reuseRendition(context, run, args, received, known);
  const track = await findTrack(context.db, run.trackId);
  // Thrown, so that the bytes of an upload are kept: a deleted track can be restored.
  if (!track) throw failure('NOT_FOUND', 'the track was deleted');
  const receivedPath = known?.received_path ?? `${sourceFolder(received.sourceId)}/received`;
  if (!known && !(await context.files.stat(receivedPath))) {
    return fail(
      'The uploaded file was not kept, because it could not be used. Delete the track, or upload another file.',
    );
  }
  const staging = await context.files.createStagingFolder();
  try {
    const prepared = await prepareDownload(context, run, {
      args,
      path: context.files.absolute(receivedPath),
      known,
      isrc: track.isrc,
      outputFolder: staging.path,
    });
    if (prepared.kind === 'refused') {
      return fail(
        `${prepared.reason}. Nothing was stored. Delete the track, and bring the song again from a whole file.`,
      );
    }
    return (
      (await refuseLength(context, run, received, prepared.outcome.durationMs)) ??
      (await storeDownload(context, run, { args, received, known }, prepared, staging))
    );
  } finally {
    await staging.remove();
  }
}

/**
 * Receives the audio of a track, checks that it can be decoded, encodes the requested quality and computes peaks.
 *
 * @spec Downloads
 */
export const downloadWorker = defineTrackWorker({
  type: 'download',
  args: storedDownloadArgs,
  concurrency: (config) => config.downloadConcurrency,
  attempts: attempts.download,
  runningStatus: 'downloading',
  costs: listSeconds,
  queuedMessage: 'waiting for other imports to finish',
  failed: (args, run, context, tx) => failDownload(context, tx, run, args),
  async perform(args, run, context) {
    try {
      return await withJobSpace(context, run, run.expectedBytes, () => download(args, run, context));
    } catch (error) {
      const verdict = run.signal.aborted ? null : explainDownloadFailure(error);
      if (verdict) return verdict;
      throw error;
    }
  },
});

import type { Context } from '../../platform/context.ts';
import type { StagingFolder } from '../../platform/files/files.ts';
import type { AudioSourceRow } from '../tracks/index.ts';
import { decodedName } from './decode-unsupported.ts';
import { sourceFolder } from './download-args.ts';
import type { PreparedAudio } from './prepare-download.service.ts';
import type { Received } from './receive-audio.ts';

/** Publishes peaks, cover and decoded audio beside the received file, and returns the row that describes them. */
export async function publishSource(
  context: Context,
  received: Received,
  { outcome, decoded, tags, warning }: PreparedAudio,
  staging: StagingFolder,
): Promise<AudioSourceRow> {
  const { cover } = tags;
  const folder = sourceFolder(received.sourceId);
  await staging.publish('peaks.bin', `${folder}/peaks.bin`);
  const coverPath = cover && `${folder}/cover.${cover.mediaType.split('/')[1]}`;
  if (cover && coverPath) await context.files.writeAtomically(coverPath, (out) => out.append(cover.bytes));
  const receivedPath = `${folder}/received`;
  const bytes = (await context.files.stat(receivedPath))?.bytes ?? 0;
  const audioPath = decoded ? `${folder}/${decodedName}` : receivedPath;
  if (decoded) await staging.publish(decodedName, audioPath);
  const paths = new Set([receivedPath, audioPath, `${folder}/peaks.bin`, ...(coverPath ? [coverPath] : [])]);
  const stored = await Promise.all([...paths].map((path) => context.files.stat(path)));
  return {
    id: received.sourceId,
    source_key: received.sourceKey,
    codec: decoded?.format ?? outcome.info.codec,
    // Only the mean bitrate is known for a file that ffmpeg decoded.
    bitrate: decoded ? Math.round((bytes * 8000) / Math.max(1, outcome.durationMs)) : outcome.info.bitrate,
    sample_rate: outcome.info.sample_rate,
    channels: outcome.info.channels,
    bits_per_sample: decoded ? null : outcome.info.bits_per_sample,
    bytes,
    stored_bytes: stored.reduce((sum, facts) => sum + (facts?.bytes ?? 0), 0),
    duration_ms: outcome.durationMs,
    received_path: receivedPath,
    audio_path: audioPath,
    peaks_path: `${folder}/peaks.bin`,
    cover_path: coverPath,
    audio_hash: outcome.audioHash,
    warnings: [...outcome.warnings, ...(warning === null ? [] : [warning])],
    created_at: context.clock.now(),
  };
}

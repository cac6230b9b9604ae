import { archiveBounds } from '@stem-studio/contract/limits';
import {
  type ArchivedStem,
  archiveFormat,
  archiveManifestName,
  type ProjectArchive,
} from '@stem-studio/contract/resources/project-archive';
import { separationModel } from '@stem-studio/contract/separation-models';
import type { Context } from '../../../platform/context.ts';
import { stateForbids } from '../../../platform/errors.ts';
import { findNewestAnalysis } from '../../analysis/index.ts';
import { listShownCues } from '../../cues/index.ts';
import { listSeparationsOf, type StemRow } from '../../processing/index.ts';
import type { ProjectWithLog } from '../../projects/index.ts';
import { findTrack, type TrackWithAudio } from '../../tracks/index.ts';
import { downloadName } from '../download-name.ts';
import { openStoredZip, type StoredFile, type StoredZip, storedStem, withoutStems } from './stored-zip.ts';

/** Returns the received song of a track, under a name that shows its format; null if its file is missing. */
async function originalOf({ files }: Context, { audio }: TrackWithAudio): Promise<StoredFile | null> {
  if (!audio) return null;
  const stored = await files.stat(audio.received_path);
  if (!stored) return null;
  const extension = audio.codec.toLowerCase().replaceAll(/[^a-z0-9]/g, '') || 'audio';
  return { path: `original.${extension}`, storedPath: audio.received_path, bytes: stored.bytes };
}

function archivedStem(stem: StemRow, { path, bytes }: StoredFile): ArchivedStem {
  const { stem_type, duration_ms, sample_rate, channels, peak } = stem;
  return { stem_type, path, bytes, duration_ms, sample_rate, channels, peak };
}

/** Returns what the manifest says about the song itself. */
async function songFacts({ db }: Context, track: TrackWithAudio) {
  const analysis = await findNewestAnalysis(db, track);
  const cues = await listShownCues(db, track.id);
  return {
    beat_grid: analysis?.beats
      ? {
          beats: analysis.beats,
          downbeats: analysis.downbeats ?? [],
          time_signature: analysis.time_signature ?? '',
        }
      : null,
    cues: cues.map(({ position_ms, label }) => ({ position_ms, label })),
  };
}

/** Returns the name under which the song is uploaded elsewhere. */
function nameOf({ artist, title }: TrackWithAudio): string {
  const name = [artist, title].filter((text) => text !== '').join(' - ');
  return name.slice(0, 240).toWellFormed() || 'song';
}

/**
 * Prepares the archive of a project: its manifest, its stems as they are stored, and the received song. The files stay
 * readable until `release`, even if they are deleted meanwhile.
 *
 * @throws `PROJECT_WITHOUT_STEMS`, `TOO_MANY_OPERATIONS`
 * @spec Project archives
 */
export async function prepareArchive(
  context: Context,
  { project, operations }: ProjectWithLog,
): Promise<StoredZip> {
  const track = await findTrack(context.db, project.track_id);
  const separations = track ? await listSeparationsOf(context.db, track.id) : [];
  const separation = separations.find(({ job }) => job.id === project.job_id);
  if (!track || !separation) throw withoutStems();
  const { stems, network } = separation;
  const stemFiles = await Promise.all(stems.map((stem) => storedStem(context, stem, 'stems')));
  const original = await originalOf(context, track);
  const [{ engine, model, backend }] = stems;
  const { title, artist, album, genre, year, isrc, comment, bpm, key, duration_ms } = track;
  const manifest: ProjectArchive = {
    format: archiveFormat,
    version: archiveBounds.version,
    exported_at: context.clock.now().toISOString(),
    name: project.name,
    track: { title, artist, album, genre, year, isrc, comment, bpm, key, duration_ms },
    original: original && {
      path: original.path,
      bytes: original.bytes,
      file_name: nameOf(track),
    },
    separation: { engine, model: separationModel.safeParse(model).data ?? 'hybrid_4', backend, network },
    stems: stems.map((stem, index) => archivedStem(stem, stemFiles[index] as StoredFile)),
    operations: operations.map(({ applied_at, edit }) => ({ applied_at, edit })),
    position: project.position,
    state: project.state,
    ...(await songFacts(context, track)),
  };
  const text = Buffer.from(JSON.stringify(manifest));
  if (text.length > archiveBounds.manifestBytes) throw tooLongLog(text.length);
  return openStoredZip(context, {
    name: downloadName({ artist, title, part: `${project.name}, project`, extension: 'zip' }),
    made: [{ path: archiveManifestName, content: text }],
    stored: [...stemFiles, ...(original ? [original] : [])],
    modified: new Date(project.updated_at),
  });
}

function tooLongLog(bytes: number) {
  const rule = `the manifest of an archive has at most ${archiveBounds.manifestBytes / 2 ** 20} MB`;
  return stateForbids(
    'TOO_MANY_OPERATIONS',
    `${rule} (that of this project has ${Math.ceil(bytes / 2 ** 20)} MB, most of it operations). Duplicate the project, undo what is not needed, and export that`,
  );
}

import { z } from 'zod';
import { timestamp } from '../ids.ts';
import { archiveBounds, editBounds } from '../limits.ts';
import { separationModel } from '../separation-models.ts';
import { identifiedEdit } from './edit-operation.ts';
import { projectState } from './project.ts';
import { engine, stemType } from './stem.ts';

/** Name of the file of an archive that describes the others. */
export const archiveManifestName = 'manifest.json';
/** Value of `format` in a manifest. */
export const archiveFormat = 'stem-studio-project';

const text = z.string().max(1000);
/** Path of a file in the archive: folders of letters, digits, `.`, `_` and `-`, never `..` or absolute. */
const path = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/, 'must be a relative path without ".."');
const ms = z.int().min(0).max(editBounds.ms);
const bytes = z.int().min(1);

/** A stem in an archive. */
export const archivedStem = z.strictObject({
  stem_type: stemType,
  /** WAV or FLAC file in the archive, as the studio stores it. */
  path,
  bytes,
  duration_ms: ms,
  sample_rate: z.int().min(1),
  channels: z.int().min(1).max(2),
  /** Largest absolute sample; 1 is full scale. */
  peak: z.number().min(0),
});
/** A stem in an archive. */
export type ArchivedStem = z.infer<typeof archivedStem>;

/** Fields that say which manifest it is; a newer version may have any others. */
export const archiveHeader = z.looseObject({ format: z.literal(archiveFormat), version: z.int().min(1) });

/**
 * `manifest.json` of a project archive.
 *
 * @spec Project archives
 */
export const projectArchive = z.strictObject({
  format: z.literal(archiveFormat),
  version: z.literal(archiveBounds.version),
  exported_at: timestamp,
  name: z.string().trim().min(1).max(editBounds.name),
  track: z.strictObject({
    title: text,
    artist: text,
    album: text,
    genre: text,
    year: z.int().nullable(),
    isrc: text.nullable(),
    comment: z.string().max(10_000),
    /** Tempo in beats per minute and key, as the studio shows them; null and empty where unknown. */
    bpm: z.number().nullable(),
    key: text,
    duration_ms: ms,
  }),
  /** The song as it was received; null if the archive lacks it, and its sum of stems takes its place. */
  original: z.strictObject({ path, file_name: z.string().min(1).max(255), bytes }).nullable(),
  /** What made the stems. */
  separation: z.strictObject({ engine, model: separationModel, backend: text, network: text.nullable() }),
  stems: z.array(archivedStem).min(1).max(stemType.options.length),
  /** The log, in its order; those after `position` are undone. */
  operations: z
    .array(z.strictObject({ applied_at: timestamp, edit: identifiedEdit }))
    .max(editBounds.operations),
  position: z.int().min(0),
  /**
   * Lanes, clips, notes, markers and reverb at the position, for programs that do not apply operations. `sources` states
   * the lengths of the stems that the operations begin with.
   */
  state: projectState,
  /** Beats of the song in seconds, from its own start; null if it was not analysed. */
  beat_grid: z
    .strictObject({
      beats: z.array(z.number()),
      downbeats: z.array(z.number()),
      time_signature: text,
    })
    .nullable(),
  cues: z.array(z.strictObject({ position_ms: z.number().min(0), label: text })),
});
/** `manifest.json` of a project archive. */
export type ProjectArchive = z.infer<typeof projectArchive>;

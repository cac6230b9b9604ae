import { z } from 'zod';
import { timestamp, userId, uuid } from '../ids.ts';
import { tagBounds } from '../limits.ts';
import { jobState } from './job.ts';

/** Pitch classes as keys are written: sharps only. */
export const pitchClasses = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;

/** A key such as `A minor` or `F# major`; the empty string where there is no tonality. */
export const musicalKey = z
  .string()
  .regex(/^$|^[A-G]#? (major|minor)$/, 'must be a key such as "A minor" or "F# major", or empty')
  .refine(
    (key) => key === '' || (pitchClasses as readonly string[]).includes(key.split(' ')[0] ?? ''),
    'must name its tonic with sharps: C, C#, D, D#, E, F, F#, G, G#, A, A#, B',
  );

/** Tags of a track. */
export const tags = z.array(z.string().trim().min(1).max(tagBounds.length)).max(tagBounds.count);

/** Tempo in beats a minute, two decimals; 20 to 400. */
export const bpm = z
  .number()
  .min(20)
  .max(400)
  .transform((value) => Math.round(value * 100) / 100);

/** What was received, before anything was made of it. */
export const audioInfo = z.object({
  codec: z.string(),
  bitrate: z.int().nullable(),
  sample_rate: z.int(),
  channels: z.int(),
  bytes: z.int(),
  /** Path of the audio in the asked quality, below `/files/`. */
  file_path: z.string(),
  /** Path of its waveform peaks, below `/files/`. */
  peaks_path: z.string(),
  /** What was odd about the received file, in words; empty when nothing was. */
  warnings: z.array(z.string()),
});

/** The descriptive fields of a track that a catalog knows. */
export const trackFields = z.object({
  catalog_id: z.string().nullable(),
  title: z.string(),
  artist: z.string(),
  album: z.string(),
  album_art_url: z.string().nullable(),
  /** Whole seconds. */
  duration: z.int(),
  duration_ms: z.int(),
  catalog_url: z.string().nullable(),
  genre: z.string(),
  isrc: z.string().nullable(),
  explicit: z.boolean(),
});

/**
 * A track of one user's library.
 *
 * @spec Tracks
 */
export const track = trackFields.extend({
  id: uuid,
  user_id: userId,
  source: z.enum(['catalog', 'upload']),
  bpm: z.number().nullable(),
  key: z.string(),
  /** Camelot code of `key`, such as `8A`; empty where there is no tonality. */
  camelot: z.string(),
  tags: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
  /** State of the newest job of each kind, or null. */
  download: jobState.nullable(),
  separation: jobState.nullable(),
  analysis: jobState.nullable(),
  audio: audioInfo.nullable(),
  /** The newest completed full separation, whose stems are played and exported; previews never replace it. */
  stems_job_id: uuid.nullable(),
});
/** A track of one user's library. */
export type Track = z.infer<typeof track>;

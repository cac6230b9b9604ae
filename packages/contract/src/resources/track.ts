import { z } from 'zod';
import { timestamp, userId, uuid } from '../ids.ts';
import { tagBounds, trackBounds } from '../limits.ts';
import { jobState } from './job.ts';

/** Pitch classes in the spelling of keys: sharps only. */
export const pitchClasses = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;

/** Musical key such as `A minor` or `F# major`; the empty string for no tonality. */
export const musicalKey = z
  .string()
  .regex(/^$|^[A-G]#? (major|minor)$/, 'must be a key such as "A minor" or "F# major", or empty')
  .refine(
    (key) => key === '' || (pitchClasses as readonly string[]).includes(key.split(' ')[0] ?? ''),
    'must name its tonic with sharps: C, C#, D, D#, E, F, F#, G, G#, A, A#, B',
  );

/** Tags of a track, each stored once; the first spelling is kept where only the case differs. */
export const tags = z
  .array(z.string().trim().min(1).max(tagBounds.length))
  .max(tagBounds.count)
  .transform((all) => {
    const first = new Map<string, string>();
    for (const tag of all) if (!first.has(tag.toLowerCase())) first.set(tag.toLowerCase(), tag);
    return [...first.values()];
  });

/** Year of release. */
export const year = z.int().min(trackBounds.year.min).max(trackBounds.year.max);

/** Rating in stars, 0 for none. */
export const rating = z.int().min(trackBounds.rating.min).max(trackBounds.rating.max);

/** Tempo in beats per minute, rounded to two decimals; 20 to 400. */
export const bpm = z
  .number()
  .min(20)
  .max(400)
  .transform((value) => Math.round(value * 100) / 100);

/** Properties of the received audio file, before conversion. */
export const audioInfo = z.object({
  codec: z.string(),
  bitrate: z.int().nullable(),
  sample_rate: z.int(),
  channels: z.int(),
  bytes: z.int(),
  /** Path of the audio in the requested quality, below `/files/`. */
  file_path: z.string(),
  /** Path of its waveform peaks, below `/files/`. */
  peaks_path: z.string(),
  /** Warnings about the received file as text; empty if there are none. */
  warnings: z.array(z.string()),
});

/** Descriptive fields of a track that a catalog provides. */
export const trackFields = z.object({
  catalog_id: z.string().nullable(),
  title: z.string(),
  artist: z.string(),
  album: z.string(),
  album_art_url: z.string().nullable(),
  /** Duration in whole seconds. */
  duration: z.int(),
  duration_ms: z.int(),
  catalog_url: z.string().nullable(),
  genre: z.string(),
  isrc: z.string().nullable(),
  explicit: z.boolean(),
});

/**
 * Track of one user's library.
 *
 * @spec Tracks
 */
export const track = trackFields.extend({
  id: uuid,
  user_id: userId,
  source: z.enum(['catalog', 'upload']),
  bpm: z.number().nullable(),
  key: z.string(),
  /** Camelot code of `key`, such as `8A`; empty for no tonality. */
  camelot: z.string(),
  tags: z.array(z.string()),
  year: z.int().nullable(),
  /** Stars, 0 for none. */
  rating: z.int(),
  comment: z.string(),
  play_count: z.int(),
  last_played_at: timestamp.nullable(),
  /** Integrated loudness of the newest analysis; null before. */
  loudness_lufs: z.number().nullable(),
  /** Model of the default separation, `cloud` for one of the cloud engine; null without stems. */
  separation_model: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  /** State of the newest job of each type, or null. */
  download: jobState.nullable(),
  separation: jobState.nullable(),
  analysis: jobState.nullable(),
  audio: audioInfo.nullable(),
  /** Newest completed full separation, whose stems are played and exported; previews never replace it. */
  stems_job_id: uuid.nullable(),
});
/** Track of one user's library. */
export type Track = z.infer<typeof track>;

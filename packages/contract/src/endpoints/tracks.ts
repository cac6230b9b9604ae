import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageMeta, pageQuery } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { pageSize, trackBounds } from '../limits.ts';
import { relatedTrack } from '../resources/related-track.ts';
import { bpm, musicalKey, rating, tags, track, year } from '../resources/track.ts';

const sortFields = [
  'created_at',
  'title',
  'artist',
  'bpm',
  'key',
  'duration',
  'fit',
  'genre',
  'year',
  'rating',
  'play_count',
  'last_played_at',
  'album',
  'loudness_lufs',
  'separation_model',
  'position',
] as const;

/**
 * Sort orders of the track list; a leading `-` reverses. `key` follows the Camelot wheel: 1A, 1B, 2A. `fit` lists the
 * best match with `fit_key` and `fit_bpm` first, `position` the tracks of a crate in its own order.
 */
export const trackSort = z.enum([...sortFields, ...sortFields.map((name) => `-${name}` as const)]);
/** Sort order of the track list. */
export type TrackSort = z.infer<typeof trackSort>;

const bpmText = z
  .string()
  .regex(/^\d{1,3}(\.\d+)?$/, 'must be a tempo in beats a minute')
  .transform(Number);

const rowNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);

/** Search, filters and order of the caller's tracks. */
const trackFilter = {
  /** Search terms and conditions, parsed by `parseTrackSearch` of `track-search.ts`. */
  q: z.string().trim().max(400).optional(),
  /** `position` in a crate and `-created_at` elsewhere by default. */
  sort: trackSort.optional(),
  /** Only tracks in this crate; those that its search finds if it is smart. */
  crate: uuid.optional(),
  fit_key: musicalKey.optional(),
  fit_bpm: bpmText.optional(),
  key: musicalKey.optional(),
  bpm_min: bpmText.optional(),
  bpm_max: bpmText.optional(),
  tag: z.string().trim().min(1).max(50).optional(),
};

/** Lists the caller's tracks, paginated. */
export const listTracks = endpoint({
  method: 'GET',
  path: '/api/tracks',
  summary: 'Tracks of the caller',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  query: z.strictObject({
    ...pageQuery,
    ...trackFilter,
    /** Only tracks with one of these ids, comma-separated. */
    ids: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(uuid).max(pageSize.max))
      .optional(),
    /** `page` sends the page of a search without counting all its matches, which takes longer than finding the page. */
    total: z.enum(['exact', 'page']).default('exact'),
  }),
  reply: z.object({
    data: z.array(track),
    meta: pageMeta.extend({
      /** True if more tracks match than were counted: `total_count` then ends with this page. Only for `total=page`. */
      has_more: z.boolean().optional(),
    }),
  }),
});

/** Lists the ids of the caller's tracks in the order of the list, from row `first` (from 0) on. */
export const listTrackIds = endpoint({
  method: 'GET',
  path: '/api/tracks/ids',
  summary: 'Ids of the tracks of the caller',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  query: z.strictObject({ ...trackFilter, first: rowNumber.default(0), count: rowNumber.optional() }),
  reply: dataOf(z.array(uuid)),
});

/** Returns one track with all its fields. */
export const getTrack = endpoint({
  method: 'GET',
  path: '/api/tracks/:id',
  summary: 'A track',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(track),
});

/** Number of related tracks to return. */
const relatedCount = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(50))
  .default(10);

/**
 * Lists tracks of the same library whose key and tempo both fit a track, best first. Empty if neither is known for
 * the track.
 */
export const listRelatedTracks = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/related',
  summary: 'Tracks that can be mixed with a track',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  query: z.strictObject({ limit: relatedCount }),
  reply: dataOf(z.array(relatedTrack)),
});

const editableFields = {
  artist: z.string().trim().max(300),
  album: z.string().trim().max(300),
  genre: z.string().trim().max(trackBounds.genre),
  year: year.nullable(),
  rating,
  comment: z.string().trim().max(trackBounds.comment),
  bpm: bpm.nullable(),
  key: musicalKey,
  tags,
};

/**
 * Lists other tracks of the same library with the same audio, the oldest first: the same samples under other tags or
 * in another lossless format.
 */
export const listDuplicates = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/duplicates',
  summary: 'Tracks with the same audio as a track',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(z.array(track)),
});

/**
 * Changes the editable fields of a track. Omitted fields do not change. The tempo also changes the beat grid; null
 * returns to the detected tempo.
 */
export const updateTrack = endpoint({
  method: 'PATCH',
  path: '/api/tracks/:id',
  summary: 'Change title, artist, album, genre, year, rating, comment, tempo, key or tags',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'GRID_LOCKED'],
  params: idParams,
  body: z
    .strictObject({
      title: z.string().trim().min(1, 'must not be empty').max(300),
      ...editableFields,
    })
    .partial(),
  reply: dataOf(track),
});

/**
 * Changes the same fields of several tracks of the caller: all of them, or none if one is missing or refuses. `tags`
 * replaces the tags, `add_tags` and `remove_tags` change them.
 */
export const updateTracks = endpoint({
  method: 'PATCH',
  path: '/api/tracks',
  summary: 'Change fields of several tracks',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'GRID_LOCKED'],
  body: z.strictObject({
    track_ids: z.array(uuid).min(1).max(trackBounds.batch),
    change: z
      .strictObject({ ...editableFields, add_tags: tags, remove_tags: tags })
      .partial()
      .refine((change) => Object.keys(change).length > 0, 'must name at least one field'),
  }),
  reply: dataOf(z.array(track)),
});

/** Moves a track to the trash and cancels its jobs; its files are removed after `TRASH_DAYS` (30) days. */
export const deleteTrack = endpoint({
  method: 'DELETE',
  path: '/api/tracks/:id',
  summary: 'Delete a track: move it to the trash',
  auth: 'api',
  scope: 'tracks:write',
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});

/** Restores a track from the trash. */
export const restoreTrack = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/restore',
  summary: 'Restore a track from the trash',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'TRACK_NOT_RESTORABLE', 'QUOTA_EXCEEDED'],
  params: idParams,
  reply: dataOf(track),
});

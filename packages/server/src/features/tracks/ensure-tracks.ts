import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import * as store from './tracks.store.ts';

/** Fields of a new track. */
export interface NewTrack {
  readonly userId: number;
  readonly source: 'catalog' | 'upload';
  readonly fields: Omit<CatalogTrack, 'catalog_id' | 'catalog_url'> & {
    catalog_id: string | null;
    catalog_url: string | null;
    /** From the tags of an uploaded file. */
    year?: number | null;
    comment?: string;
  };
}

/** An ensured track, and what this call did for it. */
export interface EnsuredTrack {
  readonly track: store.TrackRow;
  /** Whether it was created now. */
  readonly created: boolean;
  /** Whether it was deleted before and has been restored. */
  readonly restored: boolean;
}

/**
 * Returns the user's tracks with these catalog ids, in order, and creates those that are missing. A repeated import, or
 * a repeated entry of one list, returns the existing record. Restores deleted tracks. Uploads are always new. All
 * tracks belong to one user; uses a few statements for any number of them. Publishes no events.
 *
 * @spec Tracks
 */
export async function ensureTracks(
  context: Context,
  tx: Tx,
  wanted: readonly NewTrack[],
): Promise<EnsuredTrack[]> {
  const now = context.clock.now();
  const rows = wanted.map((one) => newRow(one, now));
  const inserted = await store.insertTracks(tx, rows);
  const others = rows.filter((row) => !inserted.has(row.id));
  const existing = new Map<string | null, store.TrackRow>();
  for (const row of await store.lockCatalogTracks(tx, others)) existing.set(row.catalog_id, row);
  const deleted = [...existing.values()].filter((row) => row.deleted_at !== null);
  await store.restoreTracks(
    tx,
    deleted.map((row) => row.id),
    now,
  );
  const back = new Set(deleted.map((row) => row.id));
  const ensured: EnsuredTrack[] = [];
  for (const [index, row] of rows.entries()) {
    const known = existing.get(row.catalog_id);
    const one = wanted[index];
    if (inserted.has(row.id)) ensured.push({ track: row, created: true, restored: false });
    else if (known)
      ensured.push({ track: { ...known, deleted_at: null }, created: false, restored: back.has(known.id) });
    // The existing track has been purged since, so that a new one can be inserted now.
    else if (one) ensured.push(...(await ensureTracks(context, tx, [one])));
  }
  return ensured;
}

function newRow({ userId, source, fields }: NewTrack, now: Date): store.TrackRow {
  return {
    id: newId(),
    user_id: userId,
    source,
    catalog_id: fields.catalog_id,
    title: fields.title,
    artist: fields.artist,
    album: fields.album,
    album_art_url: fields.album_art_url,
    catalog_url: fields.catalog_url,
    genre: fields.genre,
    isrc: fields.isrc,
    explicit: fields.explicit,
    duration_ms: fields.duration_ms,
    bpm: null,
    key: '',
    bpm_edited: false,
    key_edited: false,
    tags: [],
    year: fields.year ?? null,
    rating: 0,
    comment: fields.comment ?? '',
    play_count: 0,
    last_played_at: null,
    loudness_lufs: null,
    separation_model: null,
    audio_source_id: null,
    quality: null,
    stems_job_id: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}

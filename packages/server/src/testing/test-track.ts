import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';

/** Inserts a minimal track of a user, for jobs to refer to, and returns its id. */
export async function insertTestTrack(context: Context, userId: number, title = 'A track'): Promise<string> {
  const id = newId();
  const now = context.clock.now();
  await context.db
    .insertInto('tracks')
    .values({
      id,
      user_id: userId,
      source: 'upload',
      title,
      artist: 'Somebody',
      album: '',
      catalog_id: null,
      album_art_url: null,
      catalog_url: null,
      isrc: null,
      bpm: null,
      audio_source_id: null,
      quality: null,
      deleted_at: null,
      genre: '',
      explicit: false,
      duration_ms: 60_000,
      key: '',
      bpm_edited: false,
      key_edited: false,
      tags: [],
      stems_job_id: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

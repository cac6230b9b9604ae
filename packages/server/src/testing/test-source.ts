import type { Context } from '../platform/context.ts';

/** Inserts a record of received audio into the database, as `downloads/<id>/received`; the file is not created. */
export async function insertTestSource(context: Context, id: string): Promise<void> {
  await context.db
    .insertInto('audio_sources')
    .values({
      id,
      source_key: `upload:${id}`,
      codec: 'wav',
      bitrate: null,
      sample_rate: 44_100,
      channels: 2,
      bits_per_sample: 16,
      bytes: 5,
      duration_ms: 1000,
      received_path: `downloads/${id}/received`,
      audio_path: `downloads/${id}/received`,
      peaks_path: `downloads/${id}/peaks.bin`,
      cover_path: null,
      warnings: '[]',
      created_at: context.clock.now(),
    })
    .execute();
}

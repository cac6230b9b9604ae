import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import { openTestContext, type TestContext, type TestLifetime, type TestOverrides } from './test-context.ts';
import { insertTestTrack } from './test-track.ts';
import { insertTestUser } from './test-user.ts';

/** Inserts an audio source with two files and a track for it, without decoding, and returns their ids. */
export async function insertStoredTrack(
  context: Context,
  userId: number,
  bytes: Uint8Array,
): Promise<{ readonly trackId: string; readonly sourceId: string }> {
  const sourceId = newId();
  const folder = `downloads/${sourceId}`;
  for (const name of ['received', 'peaks.bin'])
    await context.files.writeAtomically(`${folder}/${name}`, (out) => out.append(bytes));
  await context.db
    .insertInto('audio_sources')
    .values({
      id: sourceId,
      source_key: `upload:${createHash('sha256').update(bytes).update(sourceId).digest('hex')}`,
      codec: 'wav',
      bitrate: null,
      sample_rate: 44_100,
      channels: 2,
      bits_per_sample: 16,
      bytes: bytes.length,
      duration_ms: 1000,
      received_path: `${folder}/received`,
      audio_path: `${folder}/received`,
      peaks_path: `${folder}/peaks.bin`,
      cover_path: null,
      warnings: JSON.stringify([]),
      created_at: context.clock.now(),
    })
    .execute();
  const trackId = await insertTestTrack(context, userId);
  await context.db
    .updateTable('tracks')
    .set({ audio_source_id: sourceId, quality: 'lossless' })
    .where('id', '=', trackId)
    .execute();
  return { trackId, sourceId };
}

/** Opens a context with a user and a few stored tracks. Its backup differs from an empty one. */
export async function openSmallLibrary(t: TestLifetime, overrides: TestOverrides = {}): Promise<TestContext> {
  const context = await openTestContext(t, overrides);
  const user = await insertTestUser(context);
  for (const text of ['one', 'two two', 'three three three'])
    await insertStoredTrack(context, user.id, Buffer.from(text.repeat(500)));
  return context;
}

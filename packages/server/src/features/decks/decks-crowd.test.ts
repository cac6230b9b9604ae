import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pause } from '../../platform/clock.ts';
import { openDeckStudio } from '../../testing/deck-studio.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

/** Waits longer than an unblocked reply takes on the slowest machine. */
function longWait(t: TestLifetime): Promise<string> {
  const over = new AbortController();
  t.after(() => over.abort());
  return pause(60_000, over.signal).then(() => 'still waiting');
}

test('many active windows of one login leave database connections to others', async (t) => {
  const studio = await openDeckStudio(t);
  const { context } = studio.library;
  const windows = await Promise.all(Array.from({ length: 12 }, () => studio.open()));
  let acted: Promise<unknown> = Promise.resolve();
  const id = windows[0]?.welcome.session.id ?? '';
  await context.db.transaction().execute(async (tx) => {
    await tx.selectFrom('deck_sessions').select('id').where('id', '=', id).forUpdate().execute();
    acted = Promise.all(windows.map(({ act }) => act('set_strip', { deck: 'a', changes: { volume: 0.5 } })));
    // The reply to the ping shows that the message before it is being processed.
    await Promise.all(
      windows.map(({ socket }) => new Promise<void>((resolve) => socket.ping(() => resolve()))),
    );
    const asked = sql`select 1`.execute(context.db).then(() => 'answered');
    assert.equal(await Promise.race([asked, longWait(t)]), 'answered');
  });
  await acted;
  assert.equal((await studio.open()).welcome.session.decks.a.strip.volume, 0.5);
});

test("a request for another user's track neither waits for its locks nor blocks others", async (t) => {
  const studio = await openDeckStudio(t);
  const { context, registerUser } = studio.library;
  const theirs = await insertTestTrack(context, (await registerUser()).id);
  const mine = await studio.open();
  await context.db.transaction().execute(async (tx) => {
    await tx.selectFrom('tracks').select('id').where('id', '=', theirs).forUpdate().execute();
    const refused = mine
      .send('load_track', { deck: 'a', track_id: theirs })
      .then((answered) => ('error' in answered ? answered.error['code'] : null));
    assert.equal(await Promise.race([refused, longWait(t)]), 'NOT_FOUND');
  });
});

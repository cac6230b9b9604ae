import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCloudPrice } from '@stem-studio/contract/endpoints/cloudsep';
import { createKeyIn, registeredBrowser } from '../../../testing/account-steps.ts';
import { cloudConfig, openStandInCloud } from '../../../testing/cloud-config.ts';
import { type FormBrowser, formOn } from '../../../testing/form-browser.ts';
import { openLibrary } from '../../../testing/library-steps.ts';
import { standInKeys } from '../../../testing/stand-ins/cloud-data.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { createStillClock, createTestClock } from '../../../testing/test-clock.ts';
import type { TestLifetime, TestOverrides } from '../../../testing/test-context.ts';
import { findCloudKey } from '../../cloudsep/index.ts';

const keyPath = '/users/settings/cloud-key';

async function openSettings(t: TestLifetime, systemKey: string | null = null, overrides: TestOverrides = {}) {
  const cloud = await openStandInCloud(t);
  const logLines: string[] = [];
  const library = await openLibrary(t, {
    ...overrides,
    logLines,
    config: { cloudsep: cloudConfig(cloud, { key: systemKey }) },
  });
  const browser = await registeredBrowser(library.app, 'mira@example.org');
  return { cloud, library, browser, logLines };
}

async function save(browser: FormBrowser, license_key: string) {
  const page = await browser.get('/users/settings');
  const { hidden } = formOn(page.payload, keyPath);
  return browser.post(keyPath, { _csrf_token: hidden['_csrf_token'] ?? '', license_key });
}

test('a key is set, replaced and deleted on the settings page and appears on no page, in no log and nowhere in clear', async (t) => {
  const { library, browser, logLines } = await openSettings(t);
  const { context } = library;
  assert.match(
    (await browser.get('/users/settings')).payload,
    /With a licence key, the cloud service separates songs/,
  );
  const saved = await save(browser, ` ${standInKeys.rich} `);
  assert.deepEqual([saved.statusCode, saved.headers.location], [303, '/users/settings#cloud']);
  const shown = (await browser.get('/users/settings')).payload;
  assert.match(shown, /Your key of the cloud service is saved\./);
  assert.match(shown, /Your key ending in <code>rich<\/code> was added on/);
  const [row] = await context.db.selectFrom('connections').selectAll().execute();
  assert.match(row?.secret ?? '', /^v1\./);
  await save(browser, standInKeys.poor);
  const kept = await context.db.selectFrom('connections').selectAll().execute();
  assert.deepEqual(
    kept.map(({ label }) => label),
    ['poor'],
  );
  const page = (await browser.get('/users/settings')).payload;
  const gone = await browser.submit(formOn(page, keyPath, { _method: 'delete' }));
  assert.equal(gone.statusCode, 303);
  assert.match((await browser.get('/users/settings')).payload, /cloud service is deleted\./);
  assert.deepEqual(await context.db.selectFrom('connections').selectAll().execute(), []);

  const audit = await context.db
    .selectFrom('audit_log')
    .select(['action', 'details', 'actor_user_id', 'target_user_id'])
    .orderBy('id')
    .execute();
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['cloud_key_set', 'cloud_key_set', 'cloud_key_deleted'],
  );
  assert.deepEqual(
    audit.map(({ details }) => details['is_replaced']),
    [false, true, undefined],
  );
  assert.ok(audit.every(({ details }) => details['provider_type'] === 'cloudsep'));
  for (const key of Object.values(standInKeys))
    for (const text of [shown, page, JSON.stringify(audit), JSON.stringify(kept), ...logLines])
      assert.ok(!text.includes(key));
});

test('a malformed or refused key is not stored; one that could not be verified is', async (t) => {
  const { cloud, library, browser } = await openSettings(t);
  const refused = await save(browser, 'no-key-of-theirs');
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /Licence key is refused: the cloud service does not accept the key/);
  assert.ok(!refused.payload.includes('no-key-of-theirs'));
  for (const nonsense of ['', 'short', 'with blanks in it', 'x'.repeat(201), 'schlüssel-der-wolke'])
    assert.equal((await save(browser, nonsense)).statusCode, 422, nonsense);
  assert.deepEqual(await library.context.db.selectFrom('connections').selectAll().execute(), []);
  cloud.mishaps.push({ path: 'minutes_left', status: 503 });
  assert.equal((await save(browser, standInKeys.rich)).statusCode, 303);
  assert.match((await browser.get('/users/settings')).payload, /could not be reached to verify it/);
});

test('setting the same key again keeps its ledger entry, even twice at the same time', async (t) => {
  const { library, browser } = await openSettings(t);
  const twice = await Promise.all([save(browser, standInKeys.rich), save(browser, standInKeys.rich)]);
  assert.deepEqual(
    twice.map(({ statusCode }) => statusCode),
    [303, 303],
  );
  const accountNow = async () => {
    const row = await library.context.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
    return (await findCloudKey(library.context, row.user_id))?.account;
  };
  const first = await accountNow();
  await save(browser, ` ${standInKeys.rich}`);
  assert.equal(await accountNow(), first);
  await save(browser, standInKeys.poor);
  assert.notEqual(await accountNow(), first);
});

test('attempts to set a key are rate limited', async (t) => {
  // Attempts are counted per minute: the clock stands still so that the minute does not end.
  const { browser } = await openSettings(t, null, { clock: createStillClock() });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 30)
    statuses.push((await save(browser, `guess-${statuses.length}-of-a-key`)).statusCode);
  assert.equal(statuses.at(-1), 429, statuses.join(' '));
});

test("a user's own key is used before the system's, and an unreadable one is not silently replaced by it", async (t) => {
  const { library, browser } = await openSettings(t, standInKeys.rich);
  const { context } = library;
  const { key } = await createKeyIn(browser, 'my program');
  const as = { headers: { authorization: `Bearer ${key}` } };
  const { id: track_id } = await library.addTrack(await testWav(), 'song.wav', as);
  const whose = async () => (await library.ask(getCloudPrice, { query: { track_id } }, as)).body.data.key;
  assert.equal(await whose(), 'system');
  assert.match((await browser.get('/users/settings')).payload, /All users share the key of this studio/);
  await save(browser, standInKeys.poor);
  assert.equal(await whose(), 'own');
  const { user_id } = await context.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  assert.equal((await findCloudKey(context, user_id))?.source, 'own');
  // Copied to another record, it cannot be decrypted.
  await context.db.updateTable('connections').set({ id: '0198c5a0-7c1e-7b3a-9d52-3f1a6b7c8d9e' }).execute();
  await assert.rejects(findCloudKey(context, user_id), /can no longer be read: save it again/);
});

test('the Test button checks the stored key at the cloud service and shows the result', async (t) => {
  const { browser, cloud } = await openSettings(t, null, { clock: createTestClock() });
  const testPath = '/users/settings/connections';
  assert.doesNotMatch((await browser.get('/users/settings')).payload, new RegExp(testPath));
  await save(browser, standInKeys.rich);
  const tested = async () => {
    const page = (await browser.get('/users/settings')).payload;
    const reply = await browser.submit(formOn(page, testPath));
    assert.deepEqual([reply.statusCode, reply.headers.location], [303, '/users/settings#connections']);
    return (await browser.get('/users/settings')).payload;
  };
  assert.match(await tested(), /The connection works\./);
  cloud.mishaps.push({ path: 'minutes_left', status: 503 });
  assert.match(await tested(), /could not be reached\. Try again later\./);
  cloud.mishaps.push({ path: 'minutes_left', status: 401 });
  assert.match(await tested(), /The service refuses the connection\./);
});

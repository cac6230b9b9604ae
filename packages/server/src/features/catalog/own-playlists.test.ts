import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkCatalog, openCatalogStudio } from '../../testing/catalog-login-steps.ts';
import { type FormBrowser, formOn } from '../../testing/form-browser.ts';
import type { PersonName } from '../../testing/stand-ins/catalog-authorization.ts';
import { standInId, standInPlaylists } from '../../testing/stand-ins/catalog-data.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { catalog } from './index.ts';

async function openStudio(t: TestLifetime) {
  const studio = await openCatalogStudio(t, { features: [catalog] });
  const linked = async (person: PersonName) => {
    const browser = await studio.registered(`${person}@example.org`);
    await linkCatalog(browser, person);
    return browser;
  };
  return { ...studio, linked };
}

/** Returns the reply to a browser user for a playlist of the stand-in. */
async function fetchPlaylist(browser: FormBrowser, name: keyof typeof standInPlaylists) {
  const settings = await browser.get('/users/settings');
  const token = formOn(settings.payload, '/users/log-out').hidden['_csrf_token'] ?? '';
  const reply = await browser.request({
    method: 'POST',
    url: '/api/catalog/fetch',
    headers: { 'x-csrf-token': token },
    payload: { url: `https://open.spotify.com/playlist/${standInId('playlist', standInPlaylists[name])}` },
  });
  const { data, error } = reply.json<{ data?: { tracks: unknown[] }; error?: string }>();
  return { status: reply.statusCode, tracks: data?.tracks.length ?? null, error: error ?? '' };
}

test('reads a playlist, also a private one, for its owner with a linked account', async (t) => {
  const { linked } = await openStudio(t);
  const kestrel = await linked('kestrel');
  for (const name of ['forbidden', 'private'] as const)
    assert.deepEqual(await fetchPlaylist(kestrel, name), { status: 200, tracks: 120, error: '' });
});

test('asks a user without a linked account to link one and never uses the login of another user', async (t) => {
  const { linked, registered } = await openStudio(t);
  await linked('kestrel');
  const stranger = await registered('ada@example.org');
  const forbidden = await fetchPlaylist(stranger, 'forbidden');
  assert.equal(forbidden.status, 502);
  assert.match(
    forbidden.error,
    /only with the login of a user who owns it \(403\).*link your catalog account/,
  );
  assert.equal((await fetchPlaylist(stranger, 'private')).status, 404);
  const nadia = await linked('nadia');
  const hers = await fetchPlaylist(nadia, 'forbidden');
  assert.equal(hers.status, 502);
  assert.match(hers.error, /only with the login of a user who owns it \(403\)/);
  assert.doesNotMatch(hers.error, /link your catalog account/);
  assert.equal((await fetchPlaylist(nadia, 'private')).status, 404);
});

test('reads a public playlist as the application, without the login of any user', async (t) => {
  const { linked, standIn } = await openStudio(t);
  const kestrel = await linked('kestrel');
  standIn.tokens.expireAccessTokens();
  assert.equal((await fetchPlaylist(kestrel, 'oldNesting')).tracks, 120);
  assert.ok(!standIn.tokens.grants.includes('refresh_token'));
});

test('replaces a token that is rejected midway and otherwise asks to sign in again', async (t) => {
  const { linked, standIn, context } = await openStudio(t);
  const kestrel = await linked('kestrel');
  standIn.tokens.expireAccessTokens();
  assert.equal((await fetchPlaylist(kestrel, 'forbidden')).tracks, 120);
  assert.equal(standIn.tokens.grants.filter((grant) => grant === 'refresh_token').length, 1);
  standIn.tokens.revoke('kestrel');
  const refused = await fetchPlaylist(kestrel, 'forbidden');
  assert.equal(refused.status, 502);
  assert.match(refused.error, /sign in again under Settings/);
  assert.match((await fetchPlaylist(kestrel, 'forbidden')).error, /sign in again there/);
  const row = await context.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  assert.equal(row.needs_sign_in, true);
});

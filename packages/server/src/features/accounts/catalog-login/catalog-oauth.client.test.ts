import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretText } from '../../../platform/crypto/secret-text.ts';
import { startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import { createCatalogOAuth } from './catalog-oauth.client.ts';

const redirectUri = 'http://127.0.0.1:4000/auth/catalog/callback';

test('a catalog that does not reply times out and is reported as slow', async (t) => {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const catalog = createCatalogOAuth({ webCatalog: standIn, redirectUri, replyTimeoutMs: 100 });
  standIn.mishaps.push({ status: 0, hangs: true }, { status: 0, hangs: true });
  const isSlow = { name: 'CatalogLoginError', reason: 'away', message: /did not answer within 0\.1 s/ };
  await assert.rejects(catalog.refresh(new SecretText('x')), isSlow);
  await assert.rejects(catalog.profileOf(new SecretText('x')), isSlow);
});

test('a code requires its own verifier and is consumed by a failed exchange', async (t) => {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const catalog = createCatalogOAuth({ webCatalog: standIn, redirectUri });
  const url = await catalog.authorizeUrl({ state: 's', verifier: 'v'.repeat(43), asksAnew: true });
  assert.equal(new URL(url).searchParams.get('show_dialog'), 'true');
  const redirect = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'nadia' }),
    redirect: 'manual',
  });
  const query = new URL(redirect.headers.get('location') ?? '').searchParams;
  const answer = catalog.readReturn(query, 's');
  const isVoid = { name: 'CatalogLoginError', reason: 'void' };
  await assert.rejects(catalog.exchange(answer, 'w'.repeat(43)), isVoid);
  await assert.rejects(catalog.exchange(answer, 'v'.repeat(43)), isVoid);
});

test('errors of the catalog contain nothing of its replies', async (t) => {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const catalog = createCatalogOAuth({ webCatalog: standIn, redirectUri });
  const headers = { 'content-type': 'application/json' };
  for (const body of [
    '{"access_token":"BQ-leak"}',
    '{"access_token":"BQ-leak","token_type":"mac"}',
    '{"access_token":"BQ-leak","token_type":"bearer","expires_in":"x"}',
  ]) {
    standIn.mishaps.push({ status: 200, headers, body });
    await assert.rejects(catalog.refresh(new SecretText('AR-leak')), (error: Error) => {
      assert.equal(error.cause, undefined);
      assert.doesNotMatch(JSON.stringify([error.message, error.stack, Object.entries(error)]), /leak/);
      return true;
    });
  }
});

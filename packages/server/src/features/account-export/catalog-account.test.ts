import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkCatalog, openCatalogStudio } from '../../testing/catalog-login-steps.ts';
import { readZip } from '../../testing/read-zip.ts';
import { accountExport } from './index.ts';

test('an export names the linked catalog account and contains none of its tokens', async (t) => {
  const { registered, standIn } = await openCatalogStudio(t, { features: [accountExport] });
  const browser = await registered('ada@example.org');
  const accountIn = async () => {
    const files = readZip((await browser.get('/export/account')).rawPayload);
    return files.get('account.json')?.toString('utf8') ?? '';
  };
  assert.match(await accountIn(), /"catalog_account":\s*null/);
  await linkCatalog(browser, 'nadia');
  const text = await accountIn();
  const { catalog_account } = JSON.parse(text) as { catalog_account: Record<string, string> };
  assert.deepEqual(
    [catalog_account['account_id'], catalog_account['display_name']],
    ['31xyznadia', 'Nadia <Voss>'],
  );
  for (const token of [...standIn.tokens.given, 'v1.']) assert.ok(!text.includes(token), token);
});

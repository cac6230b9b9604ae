import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { parseConfig, readConfig, settingNames, settings } from './config.ts';
import { ConfigError } from './platform/config.ts';
import { envExample } from './testing/env-example.ts';

test('an empty environment gives the defaults, with absolute paths', () => {
  const config = parseConfig({}, '/srv/studio');
  assert.deepEqual([config.port, config.host], [4000, '127.0.0.1']);
  assert.equal(config.dataDir, '/srv/studio/data');
  assert.equal(config.uploadsDir, '/srv/studio/data/uploads');
  assert.deepEqual(
    [config.databaseUrl, config.secretKey, config.catalogFolder, config.publicUrl],
    [null, null, null, null],
  );
  assert.deepEqual(
    [config.registration, config.maxUploadMb, config.maxDurationSeconds],
    ['closed', 512, 3600],
  );
  assert.deepEqual(
    [config.downloadConcurrency, config.processingConcurrency, config.analysisConcurrency],
    [3, 2, 1],
  );
  assert.deepEqual([config.autoAnalyze, config.autoSeparate, config.isProduction], [true, true, true]);
});

test('values are parsed: paths from the working folder, lists by commas, switches by their keywords', () => {
  const config = parseConfig(
    {
      PORT: ' 0 ',
      PUBLIC_URL: 'https://studio.example/',
      UPLOADS_DIR: '../up',
      TRUSTED_PROXIES: '10.0.0.0/8, loopback',
      AUTO_SEPARATE: 'off',
      STEM_BIT_DEPTH: '32f',
      NODE_ENV: 'development',
      SECRET_KEY: '',
    },
    '/srv/studio',
  );
  assert.deepEqual(
    [config.port, config.publicUrl, config.uploadsDir],
    [0, 'https://studio.example', '/srv/up'],
  );
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', 'loopback']);
  assert.deepEqual([config.autoSeparate, config.stemBitDepth, config.isProduction], [false, '32f', false]);
  assert.equal(config.secretKey, null);
});

test('all errors are reported together, with rule and value, but never the value of a secret', () => {
  const wrong = {
    PORT: '99999',
    REGISTRATION: 'maybe',
    MAX_UPLOAD_MB: '-1',
    SECRET_KEY: 'hunter2',
    DATABASE_URL: 'mysql://root:hunter2@db',
    TRUSTED_PROXIES: 'everybody!',
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => parseConfig(wrong, '/'),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.problems.length, 7);
      assert.ok(
        error.problems.includes('PORT must be a port, 0 to 65535 (0 takes a free one) (got "99999")'),
      );
      assert.ok(error.problems.includes('REGISTRATION must be open or closed (got "maybe")'));
      assert.ok(error.problems.includes('SECRET_KEY must have at least 32 characters'));
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    },
  );
});

test('a .env file in the working folder is read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-env-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '.env'), '# comment\nMAX_DURATION_SECONDS=77\n');
  assert.equal(readConfig(folder).maxDurationSeconds, 77);
});

test('.env.example names every setting once, with its default', async () => {
  const example = await readFile(new URL('../../../.env.example', import.meta.url), 'utf8');
  const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  assert.equal(names.length, settingNames.length);
  assert.deepEqual(new Set(names), new Set(settingNames));
  assert.deepEqual(parseConfig(parseEnv(example), '/srv'), parseConfig({}, '/srv'));
});

test('addresses of the web catalog lose their trailing slash and must be http or https', () => {
  const config = parseConfig({ CATALOG_API_URL: 'http://127.0.0.1:1234/v1/' }, '/srv');
  assert.equal(config.webCatalog.apiUrl, 'http://127.0.0.1:1234/v1');
  assert.throws(
    () => parseConfig({ CATALOG_TOKEN_URL: 'ftp://x' }, '/srv'),
    /CATALOG_TOKEN_URL must be an http/,
  );
});

test('.env.example is generated from the declared settings', async () => {
  const example = await readFile(new URL('../../../.env.example', import.meta.url), 'utf8');
  assert.equal(example, envExample(), 'run node packages/server/src/testing/write-env-example.ts');
});

test('docs/operations.md describes settings as declared', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\| (.+?) +\|$/gm)];
  const documented = rows.filter(([, name = '']) => settingNames.includes(name));
  for (const group of ['CLOUDSEP_', 'QUOTA_', 'BACKUP', 'DISK_']) {
    const missing = settingNames.filter(
      (name) => name.startsWith(group) && !documented.some(([, known]) => known === name),
    );
    assert.deepEqual(missing, [], `${group}… stands in a table`);
  }
  for (const [, name, given, means] of documented) {
    const declared = settings.find((one) => one.name === name);
    assert.equal(means, declared?.about, name);
    if (declared?.default) assert.equal(given?.replaceAll('`', ''), declared.default, name);
  }
});

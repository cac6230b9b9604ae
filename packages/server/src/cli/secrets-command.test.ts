import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSecrets, openSecrets } from '../platform/crypto/secrets.ts';
import { insertSealedRows, openSealedRows } from '../testing/sealed-rows.ts';
import { databaseUrlOf } from '../testing/service-process.ts';
import { openTestContext, type TestContext } from '../testing/test-context.ts';

const command = fileURLToPath(new URL('studio.ts', import.meta.url));

function start({ folder, connection, config }: TestContext, args: readonly string[], extra = {}) {
  return spawn(process.execPath, [command, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: databaseUrlOf(connection),
      DATA_DIR: config.dataDir,
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(...from: Parameters<typeof start>) {
  const child = start(...from);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), closed(child)]);
  return { code: child.exitCode, out, err };
}

const closed = (child: ChildProcess) => once(child, 'close');

test('a killed key rotation loses nothing and resumes when it is run again', async (t) => {
  const context = await openTestContext(t);
  await insertSealedRows(context, 700);
  const interrupted = start(context, ['secrets', 'rotate']);
  await once(interrupted.stderr, 'data');
  interrupted.kill('SIGKILL');
  await closed(interrupted);
  assert.equal(new Set(await openSealedRows(context)).size, 700);

  const again = await run(context, ['secrets', 'rotate']);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /^\d+ secrets are encrypted again, with the (new )?key [0-9a-f]{8}\n$/);
  assert.equal(new Set(await openSealedRows(context)).size, 700);
  const [present = ''] = (await openSecrets(context.config)).keyIds();
  const doctor = await run(context, ['doctor']);
  assert.match(doctor.out, new RegExp(`✔ secrets +700 under the key ${present} \\(the present one\\)\n`));
});

test('doctor reports the number of secrets for each key and the keys that are missing', async (t) => {
  const context = await openTestContext(t);
  assert.match((await run(context, ['doctor'])).out, /✔ secrets +none are stored\n/);
  await insertSealedRows(context, 3);
  const [inFile = ''] = context.secrets.keyIds();
  const given = 'another key, of more than 32 characters';
  const old = await run(context, ['doctor'], { SECRET_KEY: given });
  assert.match(old.out, new RegExp(`– secrets +3 under the key ${inFile} \\(an old one\\): "studio secrets`));
  const gone = { SECRET_KEY: given, DATA_DIR: context.folder };
  const lost = await run(context, ['doctor'], gone);
  assert.equal(lost.code, 1);
  assert.match(
    lost.out,
    new RegExp(`✖ secrets +3 under the key ${inFile} \\(not here\\): set SECRET_KEY_PREVIOUS`),
  );
  const rotated = await run(context, ['secrets', 'rotate'], gone);
  assert.equal(rotated.code, 1);
  assert.match(
    rotated.err,
    new RegExp(`is encrypted with the key ${inFile}, which this studio does not have`),
  );
  const known = createSecrets(() => [Buffer.from(given)]).keyIds()[0] ?? '';
  for (const { out, err } of [old, lost, rotated]) assert.doesNotMatch(out + err, /another key|token \d/);
  assert.match(rotated.out, new RegExp(`^0 secrets are encrypted again, with the key ${known}`));
});

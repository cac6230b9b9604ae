import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runStudio } from '../testing/run-studio.ts';
import { databaseUrlOf } from '../testing/service-process.ts';
import { openTestContext } from '../testing/test-context.ts';

test('storage check exits with 0 and counts if all is consistent, else with 1 and the repair', async (t) => {
  const context = await openTestContext(t);
  const env = { DATABASE_URL: databaseUrlOf(context.connection), DATA_DIR: context.config.dataDir };
  const check = (...options: string[]) =>
    runStudio(context.folder, ['storage', 'check', '--quiet-service', ...options], env);

  const clean = await check();
  assert.deepEqual([clean.code, clean.err], [0, '']);
  assert.match(clean.out, /^nothing found in 0 tracks, 0 sources, .* jobs \(\d+\.\d s\)\n$/);

  const folder = join(context.config.uploadsDir, 'stems', 'left');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'drums.wav'), 'x');
  const [text, json] = await Promise.all([check(), check('--json')]);
  assert.equal(text.code, 1);
  assert.match(
    text.out,
    /^unknown_folder: Moved to the quarantine .*\n {2}stems\/left: no row names it; 1 file in it\n1 found/,
  );
  const report = JSON.parse(json.out) as { isQuiet: boolean; findings: { kind: string; subject: string }[] };
  assert.deepEqual([json.code, report.isQuiet], [1, true]);
  assert.deepEqual(
    report.findings.map(({ kind, subject }) => [kind, subject]),
    [['unknown_folder', 'stems/left']],
  );
});

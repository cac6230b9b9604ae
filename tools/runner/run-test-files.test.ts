import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runTestFiles, type TestRun } from './run-test-files.ts';

const limits = { testSeconds: 60, fileSeconds: 60, exitSeconds: 30 };

/** Runs test files with the given texts and returns the counts and the report. */
async function runTexts(t: TestContext, texts: Readonly<Record<string, string>>, run: Partial<TestRun> = {}) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'stem-studio-runner-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(texts))
    writeFileSync(path.join(cwd, name), `import { test } from 'node:test';\n${text}`);
  let report = '';
  const write = (text: string) => void (report += text);
  const counts = await runTestFiles(Object.keys(texts), {
    cwd,
    concurrency: 2,
    limits,
    retries: 0,
    write,
    ...run,
  });
  return { counts, report };
}

test('counts passed and failed tests and reports the position of each failure', async (t) => {
  const { counts, report } = await runTexts(t, {
    'a.mjs': `test('adds', () => {}); test('subtracts', () => { throw new Error('got 2'); });`,
    'b.mjs': `console.log('printed'); test('outer', (t) => t.test('inner', () => {}));`,
  });
  assert.deepEqual(counts, { passed: 3, failed: 1 });
  assert.match(report, /✖ subtracts {2}\(a\.mjs:2\)\n {4}got 2\n/);
  assert.match(report, /printed\n✔ b\.mjs {2}2\/2/);
});

test('fails a skipped test, a file without tests and a file that cannot be loaded', async (t) => {
  const { counts, report } = await runTexts(t, {
    'skipped.mjs': `test.skip('later', () => {});`,
    'empty.mjs': '',
    'broken.mjs': `throw new Error('no such thing');`,
  });
  assert.deepEqual(counts, { passed: 0, failed: 3 });
  assert.match(report, /skipped tests count as failed/);
  assert.match(report, /ended before its tests did, or has none \(exit code 0\)/);
  assert.match(report, /no such thing[\s\S]*ended before its tests did, or has none \(exit code 1\)/);
});

test('ends a file that blocks, ignores SIGTERM or waits forever at its limit', async (t) => {
  const { counts, report } = await runTexts(
    t,
    {
      'blocks.mjs': `test('short', () => {}); test('for ever', () => { for (;;) {} });`,
      'deaf.mjs': `process.on('SIGTERM', () => {}); test('waits', () => new Promise((r) => setTimeout(r, 1e8)));`,
    },
    { limits: { ...limits, fileSeconds: 2 } },
  );
  assert.equal(counts.failed, 2);
  assert.match(report, /did not end within 2 s; ended: 0 tests, not ended: waits/);
});

test('finishes the run although a test left a process running with its output open', async (t) => {
  const left = `import { spawn } from 'node:child_process';
    test('starts', () => { spawn('sleep', ['1000'], { stdio: 'inherit' }); });`;
  const { counts, report } = await runTexts(
    t,
    { 'left.mjs': left, 'fine.mjs': `test('fine', () => {});` },
    { limits: { ...limits, exitSeconds: 1 } },
  );
  assert.deepEqual(counts, { passed: 2, failed: 1 });
  assert.match(report, /its tests ended, but the process did not exit within 1 s/);
});

test('runs a failed file again if allowed, and reports it', async (t) => {
  const once = `import { existsSync, writeFileSync } from 'node:fs';
    test('the second time', () => { if (!existsSync('seen')) { writeFileSync('seen', ''); throw new Error('first'); } });`;
  const { counts, report } = await runTexts(t, { 'flaky.mjs': once }, { retries: 1 });
  assert.deepEqual(counts, { passed: 1, failed: 0 });
  assert.match(report, /failed once and passed when run again:\n {4}flaky\.mjs/);
});

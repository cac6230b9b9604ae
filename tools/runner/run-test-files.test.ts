import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FileBatch, runTestFiles } from './run-test-files.ts';

const limits = { testSeconds: 60, fileSeconds: 60, exitSeconds: 30 };

/** Runs test files with the given texts and returns the counts and the report. */
async function runTexts(
  t: TestContext,
  texts: Readonly<Record<string, string>>,
  changes: {
    limits?: typeof limits;
    retries?: number;
    isOneProcess?: boolean;
    env?: Readonly<Record<string, string>>;
  } = {},
) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'stem-studio-runner-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(texts))
    writeFileSync(path.join(cwd, name), `import { test } from 'node:test';\n${text}`);
  let report = '';
  const names = Object.keys(texts).filter((name) => !name.startsWith('_'));
  const { env } = changes;
  const files = names.map((file) => ({ file, stage: 'unit', env, limits: changes.limits ?? limits }));
  const [first, ...others] = files;
  if (!first) throw new Error('no files');
  const batches: FileBatch[] = changes.isOneProcess ? [[first, ...others]] : files.map((file) => [file]);
  const results = await runTestFiles(batches, {
    cwd,
    pool: { least: 2, most: 2, hasCapacity: () => false },
    retries: changes.retries ?? 0,
    write: (text) => void (report += text),
  });
  const sum = (name: 'passed' | 'failed') => results.reduce((all, result) => all + result[name], 0);
  return { counts: { passed: sum('passed'), failed: sum('failed') }, report, results };
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

test('fails a file by an error outside of its tests, and prints it, with and without async hooks', async (t) => {
  const text = `test('waits', async () => {
    setTimeout(() => { throw new Error('nobody catches it'); });
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  test('adds', () => {});`;
  for (const mode of ['on', 'off']) {
    const { counts, report } = await runTexts(t, { 'a.mjs': text }, { env: { TEST_ASYNC_HOOKS: mode } });
    assert.equal(counts.failed, 1);
    assert.match(report, /nobody catches it[\s\S]*✖ a\.mjs/);
  }
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

test('counts the tests of several files in one process for each file, wherever they are written', async (t) => {
  const { counts, report, results } = await runTexts(
    t,
    {
      'a.mjs': `import './_steps.mjs'; test('adds', () => {});`,
      'b.mjs': `import { steps } from './_steps.mjs'; steps(); test('b', () => { throw new Error('got 2'); });`,
      'empty.mjs': '',
      'broken.mjs': `throw new Error('no such thing');`,
      'skipped.mjs': `test.skip('later', () => {});`,
      '_steps.mjs': `export const steps = () => test('outer', (t) => t.test('inner', () => {}));`,
    },
    { isOneProcess: true },
  );
  const found = results.map(({ file, passed, failed }) => [file, passed, failed]);
  assert.deepEqual(found.slice(0, 3), [
    ['a.mjs', 1, 0],
    ['b.mjs', 2, 1],
    ['empty.mjs', 0, 1],
  ]);
  assert.match(report, /✖ b {2}\(b\.mjs:2\)\n {4}got 2\n/);
  assert.match(report, /✖ broken\.mjs cannot be loaded .*\n {4}no such thing/);
  assert.match(report, /skipped tests count as failed/);
  assert.equal(counts.passed, 3);
});

test('fails the files of a process that ended early, except those whose tests had ended', async (t) => {
  const { results } = await runTexts(
    t,
    {
      'a.mjs': `test('adds', () => {});`,
      // The events before it are written meanwhile.
      'b.mjs': `test('leaves', () => new Promise(() => setTimeout(() => process.exit(0), 500)));`,
      'c.mjs': `test('subtracts', () => {});`,
    },
    { isOneProcess: true },
  );
  assert.deepEqual(
    results.map(({ passed, failed }) => [passed, failed]),
    [
      [1, 0],
      [0, 1],
      [0, 1],
    ],
  );
});

test('counts the processor time of child processes, also of those that outlive their parent', async (t) => {
  const burn = `const end = Date.now() + 2500; while (Date.now() < end);`;
  const { results } = await runTexts(t, {
    'burns.mjs': `import { spawn } from 'node:child_process'; import { once } from 'node:events';
      test('waits', async () => once(spawn(process.execPath, ['-e', \`${burn}\`]), 'exit'));`,
  });
  if (process.platform === 'linux') assert.ok((results[0]?.cpuSeconds ?? 0) > 0.5, JSON.stringify(results));
});

test('a test that waits for an unreferenced timer ends in one process with files that load slowly', async (t) => {
  const { counts, report } = await runTexts(
    t,
    {
      'a.mjs': `test('adds', () => {});`,
      'b.mjs': `await new Promise((resolve) => setTimeout(resolve, 200));
        test('waits', () => new Promise((resolve) => setTimeout(resolve, 20).unref()));`,
      'c.mjs': `test('follows', () => {});`,
    },
    { isOneProcess: true },
  );
  assert.deepEqual(counts, { passed: 3, failed: 0 }, report);
});

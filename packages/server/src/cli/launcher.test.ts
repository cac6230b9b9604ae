import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pause } from '../platform/clock.ts';
import { filesBelow, makeFolder } from '../testing/library-steps.ts';
import type { Ran } from '../testing/run-studio.ts';
import { testWav } from '../testing/test-audio.ts';

const launcher = fileURLToPath(new URL('../../bin/studio.mjs', import.meta.url));
const runtime = fileURLToPath(new URL('../../../../.runtime/node_modules', import.meta.url));
const folders = (process.env.PATH ?? '').split(delimiter);

/** Returns an installed Node older than version 24, or this Node if there is none. */
function findOldNode(): string {
  // Without the project's own Node the launcher would have to download one.
  if (!existsSync(runtime)) return process.execPath;
  const old = [...folders, '/usr/bin', '/usr/local/bin']
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find((file) => {
      const version = execFileSync(file, ['--version'], { encoding: 'utf8' });
      return Number.parseInt(version.slice(1), 10) < 24;
    });
  return old ?? process.execPath;
}

const node = findOldNode();
const env = { ...process.env, PATH: [dirname(node), ...folders].join(delimiter) };

function start(cwd: string, command: string, args: readonly string[]) {
  return spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(cwd: string, command: string, args: readonly string[]): Promise<Ran> {
  const child = start(cwd, command, args);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

/** Creates a folder with npm's link for the command, as in a project that has installed it. */
async function makeProject(t: Parameters<typeof makeFolder>[0]) {
  const folder = await makeFolder(t);
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
  const link = join(folder, 'node_modules', '.bin', 'studio');
  await symlink(launcher, link);
  return { folder, link };
}

test('an older Node runs the installed command, with files relative to the folder of the caller', async (t) => {
  const { folder, link } = await makeProject(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 1 }));
  const ran = await run(folder, link, ['analyze', 'song.wav', '--json']);
  assert.equal(ran.code, 0, ran.err);
  const analysis = JSON.parse(ran.out) as { file: string; duration_seconds: number };
  assert.deepEqual([analysis.file, analysis.duration_seconds], ['song.wav', 1]);
});

test('returns the exit code of the command', async (t) => {
  const { folder, link } = await makeProject(t);
  const help = await run(folder, node, [link, '--help']);
  assert.deepEqual([help.code, help.err], [0, '']);
  assert.match(help.out, /separate/);
  assert.equal((await run(folder, node, [link, 'analyze', 'missing.wav'])).code, 1);
  assert.equal((await run(folder, node, [link, 'no-such-command'])).code, 2);
});

test('npx runs the command', async (t) => {
  const { folder } = await makeProject(t);
  const npx = folders.map((path) => join(path, 'npx')).find((file) => existsSync(file));
  assert.ok(npx, 'npx must be on PATH');
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const ran = await run(folder, node, [await realpath(npx), '--no-install', 'studio', '--help']);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /separate/);
});

test('forwards signals to the command, which ends as it does without the launcher', async (t) => {
  const { folder, link } = await makeProject(t);
  const hasStem = async () => (await filesBelow(folder)).some((path) => /stems.*vocals/.test(path));
  // A busy machine may notice the stem only after the end: then the song is made twice as long.
  for (let seconds = 15; ; seconds *= 2) {
    await writeFile(join(folder, 'song.wav'), await testWav({ seconds }));
    const child = start(folder, node, [link, 'separate', 'song.wav', '--out', 'stems']);
    child.stdout.resume();
    const err = text(child.stderr);
    const ended = once(child, 'close') as Promise<[number | null]>;
    while (child.exitCode === null && !(await hasStem())) await pause(5);
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code === 0 && seconds < 240) {
      await rm(join(folder, 'stems'), { recursive: true });
      continue;
    }
    assert.equal(code, 130, await err);
    assert.deepEqual((await readdir(folder)).toSorted(), ['node_modules', 'song.wav']);
    return;
  }
});

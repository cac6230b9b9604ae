import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestContext } from 'node:test';

const main = path.resolve(
  import.meta.dirname,
  '..',
  'packages',
  'server',
  'src',
  'testing',
  'stand-ins',
  'main.ts',
);

/** The stand-ins for other people's servers and programs, as `npm run dev -- --stand-ins` starts them. */
export interface StandIns {
  /** Settings that lead the service to them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The link of the one song that they offer to try. */
  readonly songLink: string;
}

/** Starts the stand-ins for a test; they end with it. Throws when they do not say where they are. */
export async function startStandIns(t: Pick<TestContext, 'after'>): Promise<StandIns> {
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += String(text);
    if (said.includes('\n')) break;
  }
  const { DATA_DIR: _apart, ...settings } = JSON.parse(said) as Record<string, string>;
  const songLink = /a song\s+(\S+)/.exec(told)?.[1];
  if (songLink === undefined) throw new Error(`the stand-ins named no song to try:\n${told}`);
  return { settings, songLink };
}

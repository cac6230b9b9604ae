import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { until } from './until.ts';

const main = path.resolve(import.meta.dirname, '../packages/server/src/testing/stand-ins/main.ts');

/** Other people's servers, played by processes of ours, as `npm run dev -- --stand-ins` has them. */
export interface StandIns {
  /** What leads the service to them, such as `CATALOG_API_URL`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Links to try, by what they lead to, such as `playlist "private"`. */
  readonly links: ReadonlyMap<string, string>;
  /** Keys that the cloud service knows, by how many minutes they have: `rich`, `poor`. */
  readonly keys: ReadonlyMap<string, string>;
  /** How long the cloud service takes for a stem, from now on. */
  readonly setStemMs: (stemMs: number) => void;
}

/** Starts them; they end with the test that `t` belongs to. */
export async function startStandIns(t: Pick<TestContext, 'after'>): Promise<StandIns> {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const links = new Map<string, string>();
  const keys = new Map<string, string>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, name, link] = /^ {2}(.*?)\s+(https:\S+)$/.exec(line) ?? [];
    if (name && link) links.set(name, link);
    const [, kind, key] = /^ {2}(\w+)\s+(stand-in-license-\S+)$/.exec(line) ?? [];
    if (kind && key) keys.set(kind, key);
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  // Where the data lies is for the test to say.
  const { DATA_DIR: _folder, ...settings } = JSON.parse(line) as Record<string, string>;
  // What it prints comes another way, the keys last.
  await until(
    'keys that the stand-ins print',
    () => keys.size,
    (count) => count >= 2,
  );
  return { settings, links, keys, setStemMs: (stemMs) => void child.stdin.write(`stem_ms ${stemMs}\n`) };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { until } from './until.ts';

const main = path.resolve(import.meta.dirname, '../packages/server/src/testing/stand-ins/main.ts');

/** Stand-in servers for external services, run locally as `npm run dev -- --stand-ins` does. */
export interface StandIns {
  /** Settings that point the service to the stand-ins, such as `CATALOG_API_URL`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Links of the stand-in catalog, by what they lead to, such as `playlist "private"`. */
  readonly links: ReadonlyMap<string, string>;
  /** Keys of the cloud service, named by their remaining minutes: `rich`, `poor`. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sets the time that the cloud service takes for each further stem, in ms. */
  readonly setStemMs: (stemMs: number) => void;
}

/** Starts the stand-in servers; they end with the test that `t` belongs to. */
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
  // The test chooses its own data folder.
  const { DATA_DIR: _folder, ...settings } = JSON.parse(line) as Record<string, string>;
  // Links and keys are printed on stderr, the keys last.
  await until(
    'keys that the stand-ins print',
    () => keys.size,
    (count) => count >= 2,
  );
  return { settings, links, keys, setStemMs: (stemMs) => void child.stdin.write(`stem_ms ${stemMs}\n`) };
}

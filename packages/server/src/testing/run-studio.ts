import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../cli/studio.ts', import.meta.url));

/** Exit code and output of a command. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const handedDown = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];

/**
 * Starts the real command `studio` in a folder. Its environment contains only `PATH`, `HOME`, Node's compile cache, and
 * `env`.
 */
export function startStudio(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const known = Object.fromEntries(handedDown.map((name) => [name, process.env[name] ?? '']));
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...known, ...env } });
}

/** Runs the real command until it exits. */
export async function runStudio(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ran> {
  const child = startStudio(cwd, args, env);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

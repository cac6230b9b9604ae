import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../cli/studio.ts', import.meta.url));

/** How a command ended, and what it wrote. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const handedDown = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];

/**
 * Starts the real command `studio` in a folder, with nothing of our environment but `PATH`, `HOME`, where Node keeps
 * what it has compiled, and `env`.
 */
export function startStudio(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const known = Object.fromEntries(handedDown.map((name) => [name, process.env[name] ?? '']));
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...known, ...env } });
}

/** Runs the real command to its end. */
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

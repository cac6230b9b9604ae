import { spawn } from 'node:child_process';
import path from 'node:path';

/** Absolute path of the repository's root. */
export const root = path.resolve(import.meta.dirname, '..');

/** Exit code, output and duration of a command. */
export interface CommandEnd {
  code: number;
  output: string;
  seconds: number;
}

/**
 * Runs a command in the repository's root and collects its output. Stdout and stderr are joined in the order of
 * arrival.
 *
 * @param isLoud whether to print the output while the command runs
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { isLoud = false, cwd = root }: { isLoud?: boolean; cwd?: string } = {},
): Promise<CommandEnd> {
  const started = performance.now();
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
      if (isLoud) process.stdout.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? 1, output, seconds: (performance.now() - started) / 1000 }),
    );
  });
}

/** Returns the path of a file in an installed package, to be run by Node. */
export function installed(...segments: string[]): string {
  return path.join(root, 'node_modules', ...segments);
}

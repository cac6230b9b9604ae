import { resolve } from 'node:path';
import { type Given, UsageError } from './command.ts';

/**
 * Returns the absolute path that `--out` names. Throws `UsageError` without one.
 *
 * @param what what it names, for the message: `the audio file that is written`
 */
export function outPathOf(given: Given, what: string): string {
  const out = given.text('out');
  if (out === null) throw new UsageError(`--out must be given: ${what}`);
  return resolve(out);
}

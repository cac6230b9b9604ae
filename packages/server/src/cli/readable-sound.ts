import { access, constants, stat } from 'node:fs/promises';
import { decodeForeign, foreignFormat } from '../features/downloads/index.ts';
import { createLog } from '../platform/log.ts';
import { CommandError, type Terminal } from './command.ts';
import { createProgress } from './progress.ts';
import { readSettings } from './read-settings.ts';

/** Nobody waits in line behind a person at a terminal: what fits a WAV file may be as long as it is. */
export const longestSeconds = 86_400;

/** Throws a CommandError that says why, unless there is a file at `path` that may be read. */
export async function requireFile(path: string): Promise<void> {
  const refuse = (why: string) =>
    new CommandError(`the sound must be a file that can be read (${path} ${why})`);
  const facts = await stat(path).catch(() => null);
  if (!facts) throw refuse('is not there');
  if (!facts.isFile()) throw refuse(facts.isDirectory() ? 'is a folder' : 'is no file');
  await access(path, constants.R_OK).catch(() => {
    throw refuse('may not be read');
  });
}

/**
 * A file of the same sound that the engines read: the file itself, or what ffmpeg makes of an M4A or AAC in `folder`,
 * as the service does. `FFMPEG_PATH` says where ffmpeg is.
 *
 * @throws CommandError where there is no such file, it cannot be decoded, or ffmpeg is missing
 */
export async function readableSound(path: string, folder: string, terminal: Terminal): Promise<string> {
  await requireFile(path);
  if ((await foreignFormat(path)) === null) return path;
  const { ffmpegPath } = readSettings();
  const means = { config: { ffmpegPath, maxDurationSeconds: longestSeconds }, log: createLog('silent') };
  const progress = createProgress(process.stderr);
  progress.report(0, 'decoding with ffmpeg');
  const outcome = await decodeForeign(means, path, folder, terminal.signal).finally(() => progress.end());
  if (outcome && outcome.kind !== 'decoded') throw new CommandError(outcome.message);
  return outcome?.path ?? path;
}

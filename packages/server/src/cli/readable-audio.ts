import { access, constants, stat } from 'node:fs/promises';
import { decodeUnsupported, unsupportedFormat } from '../features/downloads/standalone.ts';
import { createLog } from '../platform/log.ts';
import { CommandError, type Terminal } from './command.ts';
import { createProgress } from './progress.ts';
import { readSettings } from './read-settings.ts';

/** Longest audio in seconds (24 h). No other user waits for a command, so only the WAV format limits the length. */
export const longestSeconds = 86_400;

/**
 * Checks that `path` is a readable file.
 *
 * @throws CommandError with the reason if it is not
 */
export async function requireFile(path: string): Promise<void> {
  const refuse = (why: string) => new CommandError(`the audio must be a readable file (${path} ${why})`);
  const facts = await stat(path).catch(() => null);
  if (!facts) throw refuse('is not there');
  if (!facts.isFile()) throw refuse(facts.isDirectory() ? 'is a folder' : 'is no file');
  await access(path, constants.R_OK).catch(() => {
    throw refuse('may not be read');
  });
}

/**
 * Returns the path of a file that the engines can read. This is the file itself, or for M4A and AAC a file that ffmpeg
 * decodes into `folder`, as in the service. `FFMPEG_PATH` is the path of ffmpeg.
 *
 * @throws CommandError if the file does not exist, cannot be decoded, or ffmpeg is missing
 */
export async function readableAudio(path: string, folder: string, terminal: Terminal): Promise<string> {
  await requireFile(path);
  if ((await unsupportedFormat(path)) === null) return path;
  const { ffmpegPath } = readSettings();
  const means = { config: { ffmpegPath, maxDurationSeconds: longestSeconds }, log: createLog('silent') };
  const progress = createProgress(process.stderr);
  progress.report(0, 'decoding with ffmpeg');
  const outcome = await decodeUnsupported(means, path, folder, terminal.signal).finally(() => progress.end());
  if (outcome && outcome.kind !== 'decoded') throw new CommandError(outcome.message);
  return outcome?.path ?? path;
}

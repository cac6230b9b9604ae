import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { isCodec, type KnownButUnsupported, sniffCodec } from '@stem-studio/dsp/format/sniff-codec';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { RetryableError } from '../../platform/errors.ts';
import { ffmpegMissing, findFfmpeg } from '../../platform/process/ffmpeg.ts';
import { runProgram } from '../../platform/process/program.ts';

/** Name of the decoded audio file, first in the staging folder and later beside the received file. */
export const decodedName = 'decoded.flac';

/** Result of decoding an unsupported format with ffmpeg. */
export type DecodingOutcome =
  | { readonly kind: 'decoded'; readonly format: KnownButUnsupported; readonly path: string }
  /** The file could not be decoded; `message` gives the reason and the remedy. */
  | { readonly kind: 'refused'; readonly message: string }
  /** No ffmpeg is available on this machine. */
  | { readonly kind: 'missing'; readonly message: string };

/** The part of a context that decoding needs; the command line has no more than this. */
export interface DecodingMeans {
  readonly config: Pick<Config, 'ffmpegPath' | 'maxDurationSeconds'>;
  readonly log: Logger;
}

/** Slowest accepted decoding, in seconds of work per second of the longest allowed track. */
const slowestFactor = 0.5;
/** Longest silence of ffmpeg before it counts as stalled, in ms. ffmpeg reports its progress twice a second. */
const stallMs = 60_000;
/** Exit codes of a program or its supervisor ended by SIGKILL, which says nothing about the file. */
const killedCodes: readonly number[] = [-1, 128 + constants.signals.SIGKILL];
/** Demuxer of each format. It is set explicitly, so that no file can select a demuxer that opens other files. */
const demuxers: Record<KnownButUnsupported, string> = {
  m4a: 'mov',
  aac: 'aac',
  webm: 'matroska',
  wma: 'asf',
};

/**
 * Returns the format of a file that only ffmpeg can decode. Null for natively supported formats and for files that are
 * not audio.
 */
export async function unsupportedFormat(path: string): Promise<KnownButUnsupported | null> {
  const parts: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 65_535 })) parts.push(chunk as Buffer);
  const format = sniffCodec(Buffer.concat(parts));
  return format === null || isCodec(format) ? null : format;
}

/** Returns the ffmpeg arguments that write the first audio stream of a file as FLAC, at most `maxSeconds` long. */
export function ffmpegArguments(
  format: KnownButUnsupported,
  inputPath: string,
  outputPath: string,
  maxSeconds: number,
): string[] {
  const options = ['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1'];
  const input = ['-protocol_whitelist', 'file', '-f', demuxers[format], '-i', `file:${inputPath}`];
  const chosen = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(maxSeconds)];
  return [...options, ...input, ...chosen, '-c:a', 'flac', '-f', 'flac', '-y', `file:${outputPath}`];
}

/**
 * Decodes a file of an unsupported format with ffmpeg into `decodedName` in `folder`. Returns null for a natively
 * supported format, which is read directly. Decodes one second more than the longest allowed track, so that a file that
 * is too long is detected.
 *
 * @throws the signal's reason when aborted
 * @throws {@link RetryableError} when ffmpeg stalls or is killed
 */
export async function decodeUnsupported(
  { config, log }: DecodingMeans,
  inputPath: string,
  folder: string,
  signal: AbortSignal,
): Promise<DecodingOutcome | null> {
  const format = await unsupportedFormat(inputPath);
  if (format === null) return null;
  const command = await findFfmpeg(config);
  if (command === null) return { kind: 'missing', message: ffmpegMissing(format) };
  const { maxDurationSeconds } = config;
  const path = join(folder, decodedName);
  const stalled = new AbortController();
  const stallTimer = setTimeout(
    () => stalled.abort(new RetryableError(`ffmpeg was silent for ${stallMs / 1000} s and was ended`)),
    stallMs,
  );
  try {
    const outcome = await runProgram({
      command,
      args: ffmpegArguments(format, inputPath, path, maxDurationSeconds + 1),
      cwd: folder,
      signal: AbortSignal.any([signal, stalled.signal]),
      timeLimitMs: Math.max(stallMs, maxDurationSeconds * slowestFactor * 1000),
      onLine: () => stallTimer.refresh(),
    });
    if (outcome.kind === 'missing') return { kind: 'missing', message: ffmpegMissing(format) };
    if (outcome.kind === 'exited' && killedCodes.includes(outcome.exitCode))
      throw new RetryableError('ffmpeg was killed, perhaps because memory ran out');
    if (outcome.kind === 'overdue') throw new RetryableError('ffmpeg did not come to an end and was ended');
    const bytes = await stat(path).then(
      (facts) => facts.size,
      () => 0,
    );
    if (outcome.exitCode === 0 && bytes > 0) return { kind: 'decoded', format, path };
    log.info({ tail: outcome.stderrTail }, 'ffmpeg could not decode a received file');
    if (/no space left|disk quota/i.test(outcome.stderrTail))
      throw Object.assign(new Error('no space left for the decoded audio'), { code: 'ENOSPC' });
    return {
      kind: 'refused',
      message: `the file must contain audio that ffmpeg can decode (it could not read this ${format.toUpperCase()})`,
    };
  } finally {
    clearTimeout(stallTimer);
  }
}

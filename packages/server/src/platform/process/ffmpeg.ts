import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { KnownButUnsupported } from '@stem-studio/dsp/format/sniff-codec';
import { type Config, childEnvironment } from '../config.ts';

/** Returns the absolute path of ffmpeg, or null if there is no executable one. */
export async function findFfmpeg(config: Pick<Config, 'ffmpegPath'>): Promise<string | null> {
  const { ffmpegPath } = config;
  const isPath = isAbsolute(ffmpegPath) || /[/\\]/.test(ffmpegPath);
  const folders = (childEnvironment()['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = isPath ? [resolve(ffmpegPath)] : folders.map((folder) => join(folder, ffmpegPath));
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  for (const candidate of candidates.flatMap((path) => endings.map((ending) => path + ending))) {
    const isRunnable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isRunnable) return candidate;
  }
  return null;
}

/** Returns the error message for a file that only ffmpeg can decode, on a machine without ffmpeg. */
export function ffmpegMissing(format: KnownButUnsupported): string {
  return `${format.toUpperCase()} files must be decoded by ffmpeg (this machine has none). Install it (apt install ffmpeg, brew install ffmpeg, or ffmpeg.org) or name it in FFMPEG_PATH; WAV, AIFF, MP3, FLAC, Ogg and Opus need no program`;
}

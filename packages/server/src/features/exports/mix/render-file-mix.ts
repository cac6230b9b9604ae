import { createReadStream } from 'node:fs';
import type { FileMix, MixRow } from '@stem-studio/contract/resources/mix';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { readEnd } from '../../../platform/files/read-end.ts';
import { decodingLimits } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { bitDepthOf, mixPartText } from './mix-file.ts';
import type { RenderMixRequest } from './render-mix.process.ts';
import { stripOf } from './strip-of.ts';

/** A mix of files that belong to no track. Paths are absolute. */
export interface FileMixRequest {
  readonly settings: FileMix;
  /** File of each audible row. */
  readonly paths: ReadonlyMap<MixRow['source'], string>;
  readonly outputPath: string;
  /** Title of the song, for the tags. */
  readonly title: string;
  /** Longer files are refused. */
  readonly maxDurationSeconds: number;
  readonly signal: AbortSignal;
  /** Called with the rendered fraction. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Renders a mix of files by the process that renders the mixes of tracks. Rejects with the reason of `signal`, and with
 * an error where a file is not audio or the files have different sample rates. The caller removes a partial file.
 */
export async function renderFileMix(request: FileMixRequest): Promise<void> {
  const { settings, paths, outputPath, maxDurationSeconds } = request;
  const strips = settings.rows.flatMap((row) => {
    const path = paths.get(row.source);
    return row.volume === 0 || path === undefined ? [] : [stripOf(row, path)];
  });
  let durationSeconds = 0;
  for (const { path } of strips)
    durationSeconds = Math.max(durationSeconds, await declaredSeconds(path, maxDurationSeconds));
  await runInProcess<number>({
    module: new URL('./render-mix.process.ts', import.meta.url),
    limits: decodingLimits('the mix', maxDurationSeconds),
    input: {
      strips,
      rate: settings.tempo / 100,
      semitones: settings.key,
      range: settings.range,
      durationSeconds,
      maxDurationSeconds,
      outputPath,
      format: settings.format,
      bitDepth: bitDepthOf(settings),
      tags: {
        title: `${request.title} (${mixPartText(settings)})`,
        artist: '',
        album: '',
        genre: '',
        bpm: '',
        initialKey: '',
      },
      coverPath: null,
    } satisfies RenderMixRequest,
    signal: request.signal,
    onProgress: (fraction) => request.onProgress(Number(fraction)),
  });
}

/** Returns the length that a file declares, in seconds, for the progress alone; the longest one if it declares none. */
async function declaredSeconds(path: string, maxDurationSeconds: number): Promise<number> {
  const stream = createReadStream(path, { highWaterMark: 1 << 18 });
  const source = await openAudio(stream, {
    maxDurationSeconds,
    readEnd: (count) => readEnd(path, count),
  });
  const { info } = source;
  await source.close();
  return info.declared_frames ? info.declared_frames / info.sample_rate : maxDurationSeconds;
}

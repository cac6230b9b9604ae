import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { analyzeFile } from '../features/analysis/standalone.ts';
import { ThreadError } from '../platform/process/thread.ts';
import { type Command, CommandError, type Terminal } from './command.ts';
import { createProgress } from './progress.ts';
import { longestSeconds, readableAudio } from './readable-audio.ts';

/** Returns the main results as lines of text. */
function summaryOf(found: AnalysisResult): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['duration', `${found.duration_seconds?.toFixed(1) ?? '–'} s`],
    ['tempo', found.tempo ? `${found.tempo.toFixed(2)} BPM (${found.time_signature ?? '4/4'})` : 'no pulse'],
    ['key', found.key ? `${found.key} (${found.camelot ?? ''})` : 'no tonality'],
    ['beats', String(found.beats?.length ?? 0)],
    ['energy', found.energy?.toFixed(2) ?? '–'],
    ['loudness', `${found.loudness_lufs?.toFixed(1) ?? '–'} LUFS`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(9)} ${value}`);
}

/**
 * Analyses one file.
 *
 * @throws CommandError with the reason if the file cannot be read as audio
 */
async function listen(filePath: string, terminal: Terminal): Promise<AnalysisResult> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  const progress = createProgress(process.stderr);
  try {
    return await analyzeFile({
      path: await readableAudio(filePath, folder, terminal),
      features: ['all'],
      maxDurationSeconds: longestSeconds,
      signal: terminal.signal,
      onProgress: (fraction) =>
        progress.report(fraction, fraction < 1 ? 'analysing' : 'estimating beats and key'),
    });
  } catch (error) {
    throw error instanceof ThreadError ? new CommandError(error.message) : error;
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Analyses files without the service and the database. */
export const analyze: Command = {
  name: 'analyze',
  operands: ['FILE…'],
  summary: 'Estimate tempo, beats, key and more of audio files',
  options: {
    json: { type: 'boolean', help: 'Print everything that was found, a line of JSON for each file' },
  },
  notes: [
    'Needs neither service nor database. M4A, AAC and the like are decoded by ffmpeg (FFMPEG_PATH), all other',
    'formats without a program. A file that cannot be read is reported, the others are analysed, and the exit code is 1.',
  ],
  async run(given, terminal) {
    let exitCode = 0;
    for (const file of given.operands) {
      try {
        const found = await listen(resolve(file), terminal);
        const named = given.operands.length === 1 ? [] : [`${file}:`];
        const lines = given.has('json')
          ? [JSON.stringify({ file, ...found })]
          : [...named, ...summaryOf(found)];
        // A closed output pipe (`| head -1`) ends the command.
        if (!lines.every((line) => terminal.print(line))) return exitCode;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        terminal.log(given.operands.length === 1 ? error.message : `${file}: ${error.message}`);
        exitCode = 1;
      }
    }
    return exitCode;
  },
};

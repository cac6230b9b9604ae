import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import { analyzeFile } from '../features/analysis/index.ts';
import { messageOf } from '../platform/errors.ts';
import { ThreadError } from '../platform/process/thread.ts';
import { type Command, CommandError } from './command.ts';
import { createProgress } from './progress.ts';

const longestSeconds = 86_400;

/** What a person wants to know first, a line each. */
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

/** Analyses a file without service and database. */
export const analyze: Command = {
  name: 'analyze',
  words: ['FILE'],
  summary: 'Tell tempo, beats, key and more of a file of sound',
  options: { json: { type: 'boolean', help: 'Print everything that was found, as JSON' } },
  notes: ['Needs neither service nor database.'],
  async run(given, terminal) {
    const path = resolve(given.words[0] ?? '');
    await access(path).catch(() => {
      throw new CommandError(`the sound must be a file that can be read (${path} is not)`);
    });
    const progress = createProgress(process.stderr);
    const found = await analyzeFile({
      path,
      features: ['all'],
      maxDurationSeconds: longestSeconds,
      signal: terminal.signal,
      onProgress: (fraction) =>
        progress.report(fraction, fraction < 1 ? 'listening' : 'finding beats and key'),
    })
      .catch((error: unknown) => {
        throw error instanceof ThreadError ? new CommandError(messageOf(error)) : error;
      })
      .finally(() => progress.end());
    if (given.has('json')) terminal.print(JSON.stringify(found));
    else for (const line of summaryOf(found)) terminal.print(line);
    return 0;
  },
};

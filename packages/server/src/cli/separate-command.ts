import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExportFormat, exportFormat, exportFormats } from '@stem-studio/contract/endpoints/exports';
import { separationTimeoutMs } from '@stem-studio/contract/limits';
import {
  type SeparationModelName,
  separationModel,
  separationModelNames,
} from '@stem-studio/contract/separation-models';
import {
  type SeparatorRequest,
  type SeparatorResult,
  separatorMessage,
} from '@stem-studio/contract/separator';
import { encodeStem } from '../features/exports/index.ts';
import { previewSeconds } from '../features/processing/index.ts';
import { runNdjson } from '../platform/process/ndjson-process.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { createProgress } from './progress.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/main'));
/** Nobody waits in line behind a person at a terminal: what fits a WAV file may be as long as it is. */
const longestSeconds = 86_400;

function choice<T extends string>(name: string, value: string | null, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new UsageError(`--${name} must be ${choices.join(', ')} (got ${value})`);
  return found;
}

interface Work {
  readonly inputPath: string;
  readonly folder: string;
  readonly model: SeparationModelName;
  readonly isPreview: boolean;
}

/** Asks the engine, the same process that the service uses. */
async function runEngine(work: Work, terminal: Terminal): Promise<SeparatorResult> {
  const progress = createProgress(process.stderr);
  let result: SeparatorResult | null = null;
  let refusal = '';
  try {
    await runNdjson({
      command: process.execPath,
      args: [program],
      input: {
        input_path: work.inputPath,
        output_dir: work.folder,
        model: work.model,
        bit_depth: '16',
        max_seconds: work.isPreview ? previewSeconds : null,
        max_duration_seconds: longestSeconds,
      } satisfies SeparatorRequest,
      message: separatorMessage,
      signal: terminal.signal,
      stallMs: separationTimeoutMs,
      onMessage(message) {
        if (message.type === 'progress')
          progress.report(message.percent / 100, message.stage ?? 'separating');
        else if (message.type === 'result') result = message;
        else refusal = message.message;
      },
    });
  } finally {
    progress.end();
  }
  // The callback assigns them where the compiler does not look.
  const found = result as SeparatorResult | null;
  if (!found) throw new CommandError(refusal || 'the separation engine ended without a result');
  return found;
}

/** Puts a stem where it was asked for, whole, in the asked format; answers its path. */
async function deliver(
  stemType: string,
  wavPath: string,
  outFolder: string,
  format: ExportFormat,
  encoding: { readonly gain: number; readonly song: string },
): Promise<string> {
  const finalPath = join(outFolder, `${stemType}.${format}`);
  if (format === 'wav') {
    await rename(wavPath, finalPath);
    return finalPath;
  }
  const outputPath = `${wavPath}.${format}`;
  const title = `${encoding.song} (${stemType})`;
  await encodeStem({
    inputPath: wavPath,
    outputPath,
    format,
    gain: encoding.gain,
    tags: { title, artist: '', album: '', genre: '', bpm: '', initialKey: '' },
  });
  await rename(outputPath, finalPath);
  return finalPath;
}

/** Separates a file without service and database. */
export const separate: Command = {
  name: 'separate',
  words: ['FILE'],
  summary: 'Separate a file of sound into stems',
  options: {
    out: { type: 'string', value: 'DIR', help: 'Where the stems go; made when it is missing' },
    model: { type: 'string', value: 'M', default: 'hybrid_4', help: separationModelNames.join(', ') },
    format: { type: 'string', value: 'F', default: 'wav', help: exportFormats.join(', ') },
    preview: { type: 'boolean', help: `Only the first ${previewSeconds} seconds` },
  },
  notes: ['Prints the path of each stem. Needs neither service nor database.'],
  async run(given, terminal) {
    const out = given.text('out');
    if (out === null) throw new UsageError('--out must be given: the folder where the stems go');
    const model = choice('model', given.text('model'), separationModel.options);
    const format = choice('format', given.text('format'), exportFormat.options);
    const inputPath = resolve(given.words[0] ?? '');
    const outFolder = resolve(out);
    await mkdir(outFolder, { recursive: true });
    // Beside their final places, so that an interrupted run leaves none of them half.
    const folder = await mkdtemp(join(outFolder, '.studio-'));
    try {
      const work = { inputPath, folder, model, isPreview: given.has('preview') };
      const result = await runEngine(work, terminal);
      for (const warning of result.warnings ?? []) terminal.tell(`note: ${warning}`);
      const gain = 1 / Math.max(1, ...Object.values(result.peaks ?? {}));
      const song = basename(inputPath, extname(inputPath));
      for (const [stemType, wavPath] of Object.entries(result.stems)) {
        terminal.signal.throwIfAborted();
        terminal.print(await deliver(stemType, wavPath, outFolder, format, { gain, song }));
      }
      return 0;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

import { mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { type ExportFormat, exportFormats, exportFormatTable } from '@stem-studio/contract/export-formats';
import {
  type SeparationModelName,
  separationModel,
  separationModelNames,
  separationModels,
} from '@stem-studio/contract/separation-models';
import type { SeparatorResult, StemBitDepth } from '@stem-studio/contract/separator';
import { encodeInThread } from '../features/exports/standalone.ts';
import { chooseBackend, previewSeconds, runSeparator } from '../features/processing/standalone.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { outPathOf } from './out-path.ts';
import { createProgress } from './progress.ts';
import { readSettings } from './read-settings.ts';
import { longestSeconds, readableAudio, requireFile } from './readable-audio.ts';

function choice<T extends string>(name: string, value: string | null, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new UsageError(`--${name} must be ${choices.join(', ')} (got ${value})`);
  return found;
}

/** Parsed options of the command line. */
interface SeparateRequest {
  readonly outFolder: string;
  readonly model: SeparationModelName;
  readonly format: ExportFormat;
  readonly bitDepth: StemBitDepth;
  readonly stems: readonly string[];
  /** Stems to leave out of a mix of the song; empty if no mix is requested. */
  readonly without: readonly string[];
  readonly isPreview: boolean;
}

function readRequest(given: Given): SeparateRequest {
  const outFolder = outPathOf(given, 'the folder where the stems go');
  const model = choice('model', given.text('model'), separationModel.options);
  const format = choice('format', given.text('format'), exportFormats);
  return {
    outFolder,
    model,
    format,
    bitDepth: bitDepthOf(given.text('bit-depth'), format),
    stems:
      given.text('without') !== null && given.text('stems') === null
        ? []
        : stemsOf(given.text('stems'), model),
    without: withoutOf(given.text('without'), model),
    isPreview: given.has('preview'),
  };
}

function bitDepthOf(value: string | null, format: ExportFormat): StemBitDepth {
  if (value === null) return '16';
  const { bitDepths } = exportFormatTable[format];
  if (bitDepths.length === 0) {
    const names = exportFormats.filter((name) => exportFormatTable[name].bitDepths.length > 0);
    throw new UsageError(`--bit-depth is for ${names.join(' and ')}: ${format} has no bit depth`);
  }
  return choice('bit-depth', value, bitDepths);
}

/** Returns the requested stems; by default all stems of the model. */
function stemsOf(value: string | null, model: SeparationModelName): readonly string[] {
  const { stemTypes } = separationModels[model];
  const asked = value?.split(',').map((name) => name.trim());
  return asked?.map((name) => choice('stems', name, stemTypes)) ?? stemTypes;
}

/** Returns the stems to leave out of the mix; at least one stem must remain. */
function withoutOf(value: string | null, model: SeparationModelName): readonly string[] {
  const { stemTypes } = separationModels[model];
  const without = (value ?? '').split(',').map((name) => name.trim());
  if (value === null) return [];
  for (const name of without) choice('without', name, stemTypes);
  if (stemTypes.every((name) => without.includes(name)))
    throw new UsageError('--without must leave a stem (got all of them)');
  return without;
}

/** Runs the engine in the same process and with the same networks as the service. */
async function runEngine(
  inputPath: string,
  folder: string,
  request: SeparateRequest,
  terminal: Terminal,
): Promise<SeparatorResult> {
  const choice = await chooseBackend(readSettings(), request.model);
  if (choice.backend === null) throw new CommandError(choice.note);
  if (choice.note !== null) terminal.log(`note: ${choice.note}`);
  const progress = createProgress(process.stderr);
  try {
    const { result, refusal } = await runSeparator(
      {
        input_path: inputPath,
        output_dir: folder,
        model: request.model,
        bit_depth: request.bitDepth,
        max_seconds: request.isPreview ? previewSeconds : null,
        max_duration_seconds: longestSeconds,
        ...(choice.backend === 'onnx' ? { weights: choice.weights } : {}),
      },
      {
        signal: terminal.signal,
        report: ({ percent, stage, eta_seconds }) =>
          progress.report(percent / 100, stage ?? 'separating', eta_seconds),
      },
    );
    if (!result) throw new CommandError(refusal?.message ?? 'the separation engine ended without a result');
    return result;
  } finally {
    progress.end();
  }
}

/** Writes a complete stem to the output folder in the requested format and returns its path. */
async function deliver(
  stemType: string,
  wavPath: string,
  { outFolder, format }: SeparateRequest,
  song: { readonly gain: number; readonly title: string; readonly signal: AbortSignal },
): Promise<string> {
  const finalPath = join(outFolder, `${stemType}.${format}`);
  if (exportFormatTable[format].isStored) {
    await rename(wavPath, finalPath);
    return finalPath;
  }
  const outputPath = `${wavPath}.${format}`;
  const title = `${song.title} (${stemType})`;
  await encodeInThread(
    {
      inputPaths: [wavPath],
      outputPath,
      format,
      gain: song.gain,
      tags: { title, artist: '', album: '', genre: '', bpm: '', initialKey: '' },
      coverPath: null,
    },
    song.signal,
  );
  await rename(outputPath, finalPath);
  return finalPath;
}

/** Writes the sum of the remaining stems to the output folder and returns its path. */
async function deliverMix(
  stems: Readonly<Record<string, string>>,
  folder: string,
  { outFolder, format, without }: SeparateRequest,
  song: { readonly title: string; readonly signal: AbortSignal },
): Promise<string> {
  const part = `no ${without.join(', ')}`;
  const outputPath = join(folder, `mix.${format}`);
  await encodeInThread(
    {
      inputPaths: Object.entries(stems).flatMap(([type, path]) => (without.includes(type) ? [] : [path])),
      outputPath,
      format,
      gain: null,
      tags: { title: `${song.title} (${part})`, artist: '', album: '', genre: '', bpm: '', initialKey: '' },
      coverPath: null,
    },
    song.signal,
  );
  const finalPath = join(outFolder, `${part}.${format}`);
  await rename(outputPath, finalPath);
  return finalPath;
}

/** Separates a file without the service and the database. */
export const separate: Command = {
  name: 'separate',
  operands: ['FILE'],
  summary: 'Separate an audio file into stems',
  options: {
    out: { type: 'string', value: 'DIR', help: 'Where the stems go; made when it is missing' },
    model: { type: 'string', value: 'M', default: 'hybrid_4', help: separationModelNames.join(', ') },
    stems: { type: 'string', value: 'LIST', help: 'Only these, with commas between: vocals,drums' },
    without: {
      type: 'string',
      value: 'LIST',
      help: 'The song without these, as one file: vocals makes karaoke',
    },
    format: { type: 'string', value: 'F', default: 'wav', help: exportFormats.join(', ') },
    'bit-depth': { type: 'string', value: 'B', help: '16, 24, or 32f for wav (16 unless given)' },
    preview: { type: 'boolean', help: `Only the first ${previewSeconds} seconds` },
  },
  notes: [
    'Prints the path of each file, as DIR/vocals.wav, or with --without vocals "DIR/no vocals.wav", and replaces what',
    'lies there. With --without there are no stems beside it unless --stems names some. Needs neither service nor',
    'database. M4A, AAC and the like are decoded by ffmpeg (FFMPEG_PATH), all other formats without a program.',
  ],
  async run(given, terminal) {
    const request = readRequest(given);
    const { outFolder } = request;
    const filePath = resolve(given.operands[0] ?? '');
    await requireFile(filePath);
    const made = await mkdir(outFolder, { recursive: true });
    // In the output folder, so that an interrupted run leaves no partial file.
    const folder = await mkdtemp(join(outFolder, '.studio-'));
    try {
      const inputPath = await readableAudio(filePath, folder, terminal);
      const result = await runEngine(inputPath, folder, request, terminal);
      for (const warning of result.warnings ?? []) terminal.log(`note: ${warning}`);
      const gain = 1 / Math.max(1, ...Object.values(result.peaks ?? {}));
      const title = basename(filePath, extname(filePath));
      // Before the stems are delivered, because that moves their files.
      if (request.without.length > 0)
        terminal.print(await deliverMix(result.stems, folder, request, { title, signal: terminal.signal }));
      for (const [stemType, wavPath] of Object.entries(result.stems)) {
        if (!request.stems.includes(stemType)) continue;
        terminal.signal.throwIfAborted();
        terminal.print(await deliver(stemType, wavPath, request, { gain, title, signal: terminal.signal }));
      }
      return 0;
    } finally {
      await rm(folder, { recursive: true, force: true });
      // Removes an output folder that this run created and left empty.
      if (made !== undefined) await rmdir(outFolder).catch(() => undefined);
    }
  },
};

import { rename } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { exportFormats } from '@stem-studio/contract/export-formats';
import { mixBounds } from '@stem-studio/contract/limits';
import { type FileMix, fileMix } from '@stem-studio/contract/resources/mix';
import { stemType } from '@stem-studio/contract/resources/stem';
import { renderFileMix } from '../features/exports/standalone.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { withFolderBeside } from './folder-beside.ts';
import { outPathOf } from './out-path.ts';
import { createProgress } from './progress.ts';
import { longestSeconds, readableAudio, requireFile } from './readable-audio.ts';

/** Files to mix, by the name of their row. */
type FilesOfRows = ReadonlyMap<string, string>;

/** Returns the files by their rows: several files are stems named by them, a single other file is the whole song. */
function filesOf(operands: readonly string[]): FilesOfRows {
  const files = new Map<string, string>();
  for (const operand of operands) {
    const path = resolve(operand);
    const name = basename(path, extname(path));
    const isStem = stemType.options.some((type) => type === name);
    if (!isStem && operands.length > 1) {
      const rule = `the files must be named as stems: ${stemType.options.join(', ')}`;
      throw new UsageError(`${rule} (got ${basename(path)})`);
    }
    const row = isStem ? name : 'mix';
    if (files.has(row)) throw new UsageError(`each stem must be given once (got ${row} twice)`);
    files.set(row, path);
  }
  return files;
}

/** Reads an option such as `vocals=0,drums=0.5`. */
function valuesOf(given: Given, option: string, files: FilesOfRows): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of given.text(option)?.split(',') ?? []) {
    const [name = '', value] = part.split('=').map((text) => text.trim());
    if (value === undefined)
      throw new UsageError(`--${option} must be pairs such as ${[...files.keys()][0]}=0.5 (got ${part})`);
    if (!files.has(name))
      throw new UsageError(
        `--${option} must name given files: ${[...files.keys()].join(', ')} (got ${name})`,
      );
    values.set(name, value);
  }
  return values;
}

/** Returns a number, or the text itself, which the schema refuses. */
const numberOf = (text: string) => (text === '' || Number.isNaN(Number(text)) ? text : Number(text));

/** Reads the gains of the bands, such as `-6/0/3` in dB; `kill` for a band that is silent. */
function bandsOf(text: string) {
  const parts = text.split('/');
  if (parts.length !== 3)
    throw new UsageError(`--eq must be LOW/MID/HIGH in dB, such as -6/0/kill (got ${text})`);
  const [low, mid, high] = parts.map((part) => (part === 'kill' ? null : numberOf(part)));
  return { low, mid, high };
}

function rangeOf(text: string | null) {
  if (text === null) return null;
  const parts = text.split('-');
  if (parts.length !== 2)
    throw new UsageError(`--range must be START-END in seconds, such as 30-90 (got ${text})`);
  const [start = '', end = ''] = parts;
  return { start: numberOf(start), end: numberOf(end) };
}

/**
 * Returns the settings of the mix, by the same schema as those of `POST /api/tracks/:id/mixes`.
 *
 * @throws UsageError with the violated rule
 */
function settingsOf(given: Given, files: FilesOfRows, outPath: string): FileMix {
  const [volumes, pans, bands] = ['volume', 'pan', 'eq'].map((name) => valuesOf(given, name, files));
  const optional = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: numberOf(value) };
  const eqOf = (value: string | undefined) => (value === undefined ? {} : { eq: bandsOf(value) });
  const parsed = fileMix.safeParse({
    rows: [...files.keys()].map((source) => ({
      source,
      ...optional('volume', volumes?.get(source)),
      ...optional('pan', pans?.get(source)),
      ...eqOf(bands?.get(source)),
    })),
    ...optional('tempo', given.text('tempo') ?? undefined),
    ...optional('key', given.text('key') ?? undefined),
    range: rangeOf(given.text('range')),
    format: given.text('format') ?? extname(outPath).slice(1).toLowerCase(),
    ...(given.text('bit-depth') !== null && { bit_depth: given.text('bit-depth') }),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${nameOf(issue?.path ?? [], files)}: ${issue?.message}`);
}

/** Returns the option that a part of the settings comes from. */
function nameOf(path: readonly PropertyKey[], files: FilesOfRows): string {
  const [field, row, part, band] = path.map(String);
  if (field !== 'rows') return `--${field?.replace('_', '-')}`;
  if (part === undefined) return '--volume';
  const name = [...files.keys()][Number(row)];
  return `--${part} of ${name}${band === undefined ? '' : ` (${band})`}`;
}

/** Renders into a temporary folder beside the output file and moves the result there. */
async function render(
  settings: FileMix,
  files: FilesOfRows,
  outPath: string,
  terminal: Terminal,
): Promise<void> {
  const progress = createProgress(process.stderr);
  const renderIn = async (folder: string) => {
    const paths = new Map<FileMix['rows'][number]['source'], string>();
    for (const { source } of settings.rows)
      paths.set(source, await readableAudio(files.get(source) ?? '', folder, terminal));
    const [first = ''] = files.values();
    // The stems of a song lie in a folder with its name.
    const title = files.has('mix') ? basename(first, extname(first)) : basename(dirname(first));
    const outputPath = join(folder, `mix.${settings.format}`);
    await renderFileMix({
      settings,
      paths,
      outputPath,
      title,
      maxDurationSeconds: longestSeconds,
      signal: terminal.signal,
      onProgress: (fraction) => progress.report(fraction, 'rendering the mix'),
    }).catch((error: unknown) => {
      terminal.signal.throwIfAborted();
      throw new CommandError((error as Error).message);
    });
    await rename(outputPath, outPath);
  };
  await withFolderBeside(outPath, renderIn).finally(() => progress.end());
}

/** Renders a mix of a song or of its stems without the service and the database. */
export const mix: Command = {
  name: 'mix',
  operands: ['FILE…'],
  summary: 'Mix stems, or change tempo and key of a song, into one audio file',
  options: {
    out: { type: 'string', value: 'FILE', help: 'The audio file that is written' },
    volume: { type: 'string', value: 'LIST', help: `Faders, 0 to ${mixBounds.volume}: vocals=0,drums=0.8` },
    pan: { type: 'string', value: 'LIST', help: '-1 (left) to 1 (right): bass=-0.3' },
    eq: {
      type: 'string',
      value: 'LIST',
      help: `Low/mid/high in dB, ${mixBounds.eqDb.min} to ${mixBounds.eqDb.max}, or kill: vocals=-6/0/kill`,
    },
    tempo: {
      type: 'string',
      value: 'P',
      help: `Percent of the recorded tempo, ${mixBounds.slowestPercent} to ${mixBounds.fastestPercent}; the key stays`,
    },
    key: {
      type: 'string',
      value: 'N',
      help: `Semitones, -${mixBounds.keySemitones} to ${mixBounds.keySemitones}; the tempo stays`,
    },
    range: { type: 'string', value: 'A-B', help: 'Part of the song in seconds: 30-90' },
    format: {
      type: 'string',
      value: 'F',
      help: `${exportFormats.join(', ')} (the extension of --out unless given)`,
    },
    'bit-depth': { type: 'string', value: 'B', help: '16 or 24, not for mp3 (24 unless given)' },
  },
  notes: [
    'Several files are the stems of one song, named as "studio separate" names them: vocals.wav drums.wav. One file',
    'with another name is the whole song, called mix in the lists. Negative values take an equals sign: --key=-2.',
    'Sounds as the player and POST /api/tracks/:id/mixes do. Needs neither service nor database.',
  ],
  async run(given, terminal) {
    const outPath = outPathOf(given, 'the audio file that is written');
    const files = filesOf(given.operands);
    const settings = settingsOf(given, files, outPath);
    for (const path of files.values()) await requireFile(path);
    await render(settings, files, outPath, terminal);
    terminal.print(outPath);
    return 0;
  },
};

import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Span } from './span-score.ts';

/** Reads a table of a data folder (`rhythm.csv`, `key.csv`) as records; empty if the folder has none. */
export function readTable(dataDir: string, name: string): Record<string, string>[] {
  const file = path.join(dataDir, name);
  if (!existsSync(file)) return [];
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const fields = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(fields.map((field, index) => [field, cells[index] ?? '']));
  });
}

/** Reads the beats of a file with a time in seconds at the start of each line. */
export function readBeats(file: string): number[] {
  return readFileSync(file, 'utf8').trim().split('\n').map(Number.parseFloat).filter(Number.isFinite);
}

/** Reads the downbeats of a file: beats with a 1 after their time. Empty if the file does not count bars. */
export function readDownbeats(file: string): number[] {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([time, beatInBar]) => (beatInBar === '1' ? [Number(time)] : []));
}

/** A piece with known chords or sections. */
export interface LabelledPiece {
  /** Path of its audio, or null if the folder has none. */
  readonly audioPath: string | null;
  readonly name: string;
  readonly chords: readonly Span[] | null;
  readonly sections: readonly Span[] | null;
}

/**
 * Lists the pieces of `structure/` (`NAME.chords.lab`, `NAME.sections.lab`), with their audio in `rhythm/`, `key/` or
 * `music/`.
 */
export function listLabelledPieces(dataDir: string): LabelledPiece[] {
  const files = globSync('structure/*.lab', { cwd: dataDir });
  const names = [...new Set(files.map((file) => path.basename(file).split('.')[0] ?? ''))].sort();
  const audioFiles = globSync(['{rhythm,key}/*.*', 'music/**/*.{flac,mp3,m4a,ogg,opus,wav}'], {
    cwd: dataDir,
  });
  return names.map((name) => {
    // Files of whole songs have readable names: `lmmsfull_innerrecreation` is "03 Inner Recreation".
    const wanted = name.replace(/^lmmsfull_/, '');
    const audioFile = audioFiles.find((file) => {
      const { name: base, ext } = path.parse(file);
      if (ext === '.beats') return false;
      return base === name || (wanted !== name && base.toLowerCase().replace(/[^a-z]/g, '') === wanted);
    });
    return {
      name,
      audioPath: audioFile ? path.join(dataDir, audioFile) : null,
      chords: readSpans(path.join(dataDir, 'structure', `${name}.chords.lab`)),
      sections: readSpans(path.join(dataDir, 'structure', `${name}.sections.lab`)),
    };
  });
}

function readSpans(file: string): Span[] | null {
  if (!existsSync(file)) return null;
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [start = '', end = '', ...label] = line.trim().split(/\s+/);
      return { start: Number(start), end: Number(end), label: label.join(' ') };
    });
}

/**
 * Decodes an audio file with ffmpeg to 32-bit float at the given rate. Returns one array per audio channel, or null if
 * ffmpeg is not installed.
 *
 * @throws Error with ffmpeg's message if the file cannot be decoded
 */
export async function decodeWithFfmpeg(
  file: string,
  options: { sampleRate: number; channels: number },
): Promise<Float32Array[] | null> {
  const { sampleRate, channels } = options;
  const args = ['-v', 'error', '-i', file, '-f', 'f32le', '-ac', `${channels}`, '-ar', `${sampleRate}`, '-'];
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(null);
      else reject(error);
    });
    child.once('close', (status) => resolve(status ?? 1));
  });
  if (code === null) return null;
  if (code !== 0) throw new Error(`ffmpeg could not decode ${file}: ${complaint.trim()}`);
  const bytes = Buffer.concat(chunks);
  const length = Math.floor(bytes.length / 4 / channels);
  return Array.from({ length: channels }, (_, index) =>
    Float32Array.from({ length }, (_value, at) => bytes.readFloatLE(4 * (at * channels + index))),
  );
}

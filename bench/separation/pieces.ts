import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';

/** The scored stems. */
export const stemNames = ['vocals', 'drums', 'bass', 'other'] as const;
/** Audio of each stem. */
export type Stems = Record<(typeof stemNames)[number], StereoAudio>;

/** A piece of music with known stems; the mixture is their sum. */
export interface Piece {
  readonly name: string;
  readonly stems: Stems;
  readonly mixture: StereoAudio;
}

/** Returns the sum of recordings of the same length. */
export function sumOf(signals: readonly StereoAudio[]): StereoAudio {
  const [first] = signals as [StereoAudio];
  const side = (name: 'left' | 'right'): Float32Array =>
    first[name].map((_, i) => signals.reduce((sum, signal) => sum + (signal[name][i] as number), 0));
  return { left: side('left'), right: side('right') };
}

/** Renders the first `seconds` of the project's own songs. */
export function* demoPieces(seconds: number): Generator<Piece> {
  for (const song of demoSongs) {
    const blocks = [...renderDemoSong(song, seconds)];
    const stems = Object.fromEntries(
      stemNames.map((name) => [
        name,
        {
          left: joined(blocks.map((block) => block[name][0] as Float32Array)),
          right: joined(blocks.map((block) => block[name][1] as Float32Array)),
        },
      ]),
    ) as Stems;
    yield { name: song.slug, stems, mixture: sumOf(Object.values(stems)) };
  }
}

/** Reads the pieces `<dataDir>/sep/NAME/{vocals,drums,bass,other}.flac`; none if the folder does not exist. */
export async function* recordedPieces(dataDir: string): AsyncGenerator<Piece> {
  const root = join(dataDir, 'sep');
  if (!existsSync(root)) return;
  for (const name of readdirSync(root).sort()) {
    const files = stemNames.map((stem) => join(root, name, `${stem}.flac`));
    if (!files.every((file) => existsSync(file))) continue;
    const signals = await Promise.all(files.map(decodeStereo));
    const stems = Object.fromEntries(stemNames.map((stem, i) => [stem, signals[i]])) as Stems;
    yield { name, stems, mixture: sumOf(Object.values(stems)) };
  }
}

/** Decodes a file; a mono file gives two equal channels. */
export async function decodeStereo(file: string): Promise<StereoAudio> {
  const source = await openAudio(createReadStream(file));
  const blocks: Float32Array[][] = [];
  for await (const block of source.blocks) blocks.push(block);
  const left = joined(blocks.map((block) => block[0] as Float32Array));
  return {
    left,
    right: source.info.channels > 1 ? joined(blocks.map((block) => block[1] as Float32Array)) : left,
  };
}

/** Concatenates arrays. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

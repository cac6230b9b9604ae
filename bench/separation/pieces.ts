import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';

/** The stems that are scored. */
export const stemNames = ['vocals', 'drums', 'bass', 'other'] as const;
/** One sound for each stem. */
export type Stems = Record<(typeof stemNames)[number], StereoAudio>;

/** A piece of music whose stems are known; the mixture is their sum. */
export interface Piece {
  readonly name: string;
  readonly stems: Stems;
  readonly mixture: StereoAudio;
}

/** Sum of sounds of one length. */
export function sumOf(sounds: readonly StereoAudio[]): StereoAudio {
  const [first] = sounds as [StereoAudio];
  const side = (name: 'left' | 'right'): Float32Array =>
    first[name].map((_, i) => sounds.reduce((sum, sound) => sum + (sound[name][i] as number), 0));
  return { left: side('left'), right: side('right') };
}

/** The project's own songs, their first `seconds`. */
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

/** The pieces `<dataDir>/sep/NAME/{vocals,drums,bass,other}.flac`; none where there is no such folder. */
export async function* recordedPieces(dataDir: string): AsyncGenerator<Piece> {
  const root = join(dataDir, 'sep');
  if (!existsSync(root)) return;
  for (const name of readdirSync(root).sort()) {
    const files = stemNames.map((stem) => join(root, name, `${stem}.flac`));
    if (!files.every((file) => existsSync(file))) continue;
    const sounds = await Promise.all(files.map(decodeStereo));
    const stems = Object.fromEntries(stemNames.map((stem, i) => [stem, sounds[i]])) as Stems;
    yield { name, stems, mixture: sumOf(Object.values(stems)) };
  }
}

/** The sound of a file; a mono one has two equal sides. */
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

/** One array after another. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

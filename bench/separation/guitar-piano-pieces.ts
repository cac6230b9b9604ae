import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { demoSongs } from '@stem-studio/dsp/synth/demo-songs';
import { renderArrangement, type StemBlock } from '@stem-studio/dsp/synth/render-arrangement';
import { decodeStereo, joined, stemNames, sumOf } from './pieces.ts';

/** The instruments that only the six-stem model separates. */
export const instruments = ['guitar', 'piano'] as const;

/** A piece of music with a known guitar, piano or both; an absent instrument is silence. */
export interface GuitarPianoPiece {
  readonly name: string;
  readonly mixture: StereoAudio;
  readonly known: Readonly<Partial<Record<(typeof instruments)[number], StereoAudio>>>;
}

/** Renders the project's own songs from `from` to `to` seconds, after all their instruments have started. */
export function* demoGuitarPianoPieces(from: number, to: number): Generator<GuitarPianoPiece> {
  for (const song of demoSongs) {
    const arrangement = song.arrange();
    const only = (named: RegExp): StereoAudio => {
      const parts = arrangement.parts.filter((part) => named.test(part.name));
      return mixed([...renderArrangement({ ...arrangement, parts }, to)], from);
    };
    yield {
      name: song.slug,
      mixture: mixed([...renderArrangement(arrangement, to)], from),
      known: { guitar: only(/guitar/), piano: only(/piano/) },
    };
  }
}

function mixed(blocks: readonly StemBlock[], fromSeconds: number): StereoAudio {
  const side = (channel: 0 | 1): StereoAudio[] =>
    stemNames.map((name) => {
      const whole = joined(blocks.map((block) => block[name][channel] as Float32Array));
      const later = whole.subarray(44_100 * fromSeconds);
      return { left: later, right: later };
    });
  return { left: sumOf(side(0)).left, right: sumOf(side(1)).left };
}

/**
 * Reads the pieces `<dataDir>/sep/NAME` with a `guitar.flac` or `piano.flac` in addition to the stems of the mixture.
 */
export async function* recordedGuitarPianoPieces(dataDir: string): AsyncGenerator<GuitarPianoPiece> {
  const root = join(dataDir, 'sep');
  if (!existsSync(root)) return;
  for (const name of readdirSync(root).sort()) {
    const decode = (stem: string): Promise<StereoAudio> => decodeStereo(join(root, name, `${stem}.flac`));
    const has = (stem: string): boolean => existsSync(join(root, name, `${stem}.flac`));
    const present = instruments.filter(has);
    if (present.length === 0) continue;
    const known = Object.fromEntries(
      await Promise.all(present.map(async (stem) => [stem, await decode(stem)] as const)),
    );
    const parts = has('accompaniment') ? ['guitar', 'accompaniment'] : stemNames;
    yield { name, mixture: sumOf(await Promise.all(parts.map(decode))), known };
  }
}

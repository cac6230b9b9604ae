import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { GroundTruth } from './accuracy-scores.ts';

const HEADER_BYTES = 44;
const SCALE = 32_768;
/** Fraction of beats that must sound. */
const LEAST_SOUNDING = 0.3;

const songSchema = z.object({
  version: z.literal(1),
  seed: z.int(),
  genre: z.string(),
  metre: z.string(),
  bpm: z.number().positive().nullable(),
  isAmbiguous: z.boolean(),
  timing: z.string(),
  drums: z.string(),
  seconds: z.number().positive(),
  beats: z.array(z.tuple([z.number(), z.int().min(1)])),
  /** Fraction of the beats that any drum or note sounds on. */
  soundingBeats: z.number().min(0).max(1).optional(),
  key: z.string(),
  chords: z.array(z.tuple([z.number(), z.number(), z.string()])),
  sections: z.array(z.tuple([z.number(), z.number(), z.string()])),
});

/** A rendered song of `training/invent_beat_songs.py`. */
export interface BeatSong {
  readonly name: string;
  readonly seed: number;
  readonly genre: string;
  /** `straight`, `drift`, `steps`, `rubato start`, or `none` for applause and sirens. */
  readonly timing: string;
  /** `full`, `sparse`, `off-beat` or `none`. */
  readonly drums: string;
  /** Whether too few beats sound for any listener to tell them from the off-beats. */
  readonly isUnknowable: boolean;
  /** Beats, bars and sections; key and chords are not scored, because they are not what these songs vary. */
  readonly truth: GroundTruth;
  /** Reads both audio channels at 44,100 Hz. */
  readSamples(): Float32Array[];
}

/**
 * Lists the songs of a folder (`SEED.wav` with `SEED.json`), by seed. Songs without a JSON file are not complete.
 *
 * @param limit largest number of songs: the first ones
 * @throws Error that names a file with an invalid truth
 */
export function listBeatSongs(folder: string, limit = Infinity): BeatSong[] {
  const files = globSync('*.json', { cwd: folder }).sort().slice(0, limit);
  return files.map((file) => readSong(path.join(folder, file)));
}

function readSong(file: string): BeatSong {
  const parsed = songSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success)
    throw new Error(`${file} is not the truth of a song: ${z.prettifyError(parsed.error)}`);
  const { seed, genre, timing, drums, metre, bpm, isAmbiguous, beats, sections } = parsed.data;
  const { soundingBeats = 1 } = parsed.data;
  return {
    name: `${seed} ${genre}`,
    seed,
    genre,
    timing,
    drums,
    isUnknowable: beats.length > 0 && soundingBeats < LEAST_SOUNDING,
    truth: {
      ...(bpm !== null && { bpm }),
      ...(isAmbiguous && { isAmbiguous }),
      ...(beats.length > 0 && {
        beats: beats.map(([time]) => time),
        downbeats: beats.flatMap(([time, position]) => (position === 1 ? [time] : [])),
        timeSignature: metre,
      }),
      ...(sections.length > 0 && {
        sections: sections.map(([start, end, label]) => ({ start, end, label })),
      }),
    },
    readSamples: () => readStereo(`${file.slice(0, -'.json'.length)}.wav`),
  };
}

/** Reads the 16-bit stereo WAV files of the recipe, whose header has 44 bytes. */
function readStereo(file: string): Float32Array[] {
  const bytes = readFileSync(file);
  const format = bytes.toString('latin1', 0, 4);
  if (format !== 'RIFF' || bytes.readUInt16LE(22) !== 2 || bytes.readUInt16LE(34) !== 16)
    throw new Error(`${file} must be a WAV file of 16 bits and two audio channels`);
  const frames = Math.floor((bytes.length - HEADER_BYTES) / 4);
  return [0, 1].map((side) =>
    Float32Array.from(
      { length: frames },
      (_, frame) => bytes.readInt16LE(HEADER_BYTES + 4 * frame + 2 * side) / SCALE,
    ),
  );
}

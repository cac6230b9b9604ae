import type { Curve } from '../effect/automation.ts';
import type { EchoTaste } from '../effect/echo.ts';
import type { Insert } from '../effect/insert.ts';
import type { ReverbRoom } from '../effect/reverb.ts';
import type { Sound } from '../sound.ts';

/** The four stems, in the order in which they are added to make the mix. */
export const stemNames = ['vocals', 'drums', 'bass', 'other'] as const;

/** One of the four stems. */
export type StemName = (typeof stemNames)[number];

/** A note as it is written. */
export interface WrittenNote {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** MIDI number; a fraction where a singer is off. */
  readonly midi: number;
}

/** A sound and where it stands; it is rendered only when its time comes. */
export interface PlacedSound {
  /** Sample at which it begins; what lies before the song's beginning is cut. */
  readonly start: number;
  readonly gain: number;
  /** −1 left, 0 centre, 1 right. */
  readonly pan: number;
  /** The notes that sound in it; none in what has no pitch. */
  readonly notes?: readonly WrittenNote[];
  readonly render: () => Sound;
}

/** What one player plays: sounds → inserts → level → stem, with a share to the stem's echo and reverberation. */
export interface Part {
  readonly name: string;
  readonly stem: StemName;
  readonly sounds: PlacedSound[];
  readonly gainDb: number;
  /** Shares sent to reverberation and echo, 0 to 1. */
  readonly reverb: number;
  readonly echo: number;
  /** Fresh inserts for one rendering. */
  readonly createInserts: () => Insert[];
}

/** What a stem passes through: parts, reverberation and echo → saturation → level. */
export interface StemBus {
  readonly room: ReverbRoom;
  readonly echo: EchoTaste | null;
  readonly drive: number;
  readonly gainDb: number;
}

/** A whole song as it is played. */
export interface Arrangement {
  readonly parts: readonly Part[];
  readonly buses: Readonly<Record<StemName, StemBus>>;
  /** Level of everything over time, in decibels: the fade at the end. */
  readonly masterDb: Curve;
}

/** Everything that is written for a stem, by time and pitch. */
export function scoreOf(arrangement: Arrangement, stem: StemName): WrittenNote[] {
  return arrangement.parts
    .filter((part) => part.stem === stem)
    .flatMap(({ sounds }) => sounds.flatMap(({ notes }) => notes ?? []))
    .sort((one, other) => one.startSeconds - other.startSeconds || one.midi - other.midi);
}

/** A part without sounds, to be filled: what is not given is dry, plain and at 0 dB. */
export function createPart(
  name: string,
  stem: StemName,
  settings: Partial<Pick<Part, 'gainDb' | 'reverb' | 'echo' | 'createInserts'>> = {},
): Part {
  return { name, stem, sounds: [], gainDb: 0, reverb: 0, echo: 0, createInserts: () => [], ...settings };
}

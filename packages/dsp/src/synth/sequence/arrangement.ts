import type { Curve } from '../effect/automation.ts';
import type { EchoTaste } from '../effect/echo.ts';
import type { Insert } from '../effect/insert.ts';
import type { ReverbRoom } from '../effect/reverb.ts';
import type { StereoSamples } from '../stereo-samples.ts';

/** The four stems, in the order in which they are added to make the mix. */
export const stemNames = ['vocals', 'drums', 'bass', 'other'] as const;

/** One of the four stems. */
export type StemName = (typeof stemNames)[number];

/** A note of the score. */
export interface WrittenNote {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** MIDI number; fractional for a detuned singer. */
  readonly midi: number;
}

/** A sound with its position; it is rendered only at its start. */
export interface PartEvent {
  /** First sample; anything before the beginning of the song is cut. */
  readonly start: number;
  readonly gain: number;
  /** Panorama: −1 left, 0 centre, 1 right. */
  readonly pan: number;
  /** Notes in the sound; none for unpitched sounds. */
  readonly notes?: readonly WrittenNote[];
  readonly render: () => StereoSamples;
}

/** Part of one instrument: sounds → inserts → level → stem, with sends to the echo and reverberation of the stem. */
export interface Part {
  readonly name: string;
  readonly stem: StemName;
  readonly events: PartEvent[];
  readonly gainDb: number;
  /** Levels of the sends to reverberation and echo, 0 to 1. */
  readonly reverb: number;
  readonly echo: number;
  /** Creates new inserts for one rendering. */
  readonly createInserts: () => Insert[];
}

/** Bus of a stem: parts, reverberation and echo → saturation → level. */
export interface StemBus {
  readonly room: ReverbRoom;
  readonly echo: EchoTaste | null;
  readonly drive: number;
  readonly gainDb: number;
}

/** A whole song as a score with its mix. */
export interface Arrangement {
  readonly parts: readonly Part[];
  readonly buses: Readonly<Record<StemName, StemBus>>;
  /** Master level over time in decibels: the final fade-out. */
  readonly masterDb: Curve;
}

/** Returns all notes of a stem, ordered by time and pitch. */
export function scoreOf(arrangement: Arrangement, stem: StemName): WrittenNote[] {
  return arrangement.parts
    .filter((part) => part.stem === stem)
    .flatMap(({ events }) => events.flatMap(({ notes }) => notes ?? []))
    .sort((one, other) => one.startSeconds - other.startSeconds || one.midi - other.midi);
}

/** Creates a part without sounds; parameters not given mean dry, without inserts and at 0 dB. */
export function createPart(
  name: string,
  stem: StemName,
  settings: Partial<Pick<Part, 'gainDb' | 'reverb' | 'echo' | 'createInserts'>> = {},
): Part {
  return { name, stem, events: [], gainDb: 0, reverb: 0, echo: 0, createInserts: () => [], ...settings };
}

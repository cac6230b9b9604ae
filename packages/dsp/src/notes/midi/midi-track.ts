import { TICKS_PER_QUARTER } from './tempo-map.ts';

/** Order of events at the same tick: notes end before bends change, and bends change before notes begin. */
const ORDER = { head: 0, noteOff: 1, bend: 2, noteOn: 3 } as const;

/** Collects the events of one track of a MIDI file, in any order. */
export interface MidiTrack {
  /** Adds an event (its bytes without the delta time) at a tick, an integer from 0. */
  add(tick: number, kind: keyof typeof ORDER, bytes: readonly number[]): void;
  /** Returns the chunk `MTrk`: all events in order with their delta times, and the end of track. */
  finish(): number[];
}

/** Creates a track without events. */
export function createMidiTrack(): MidiTrack {
  const events: { tick: number; order: number; bytes: readonly number[] }[] = [];
  return {
    add: (tick, kind, bytes) => void events.push({ tick, order: ORDER[kind], bytes }),
    finish() {
      const body: number[] = [];
      let now = 0;
      for (const { tick, bytes } of events.toSorted(
        (one, other) => one.tick - other.tick || one.order - other.order,
      )) {
        body.push(...variableLength(tick - now), ...bytes);
        now = tick;
      }
      body.push(0, ...metaEvent(0x2f, []));
      return chunk('MTrk', body);
    },
  };
}

/** Encodes a chunk of a MIDI file: four letters, the length and the body. */
export function chunk(name: string, body: readonly number[]): number[] {
  return [...Array.from(name, (letter) => letter.charCodeAt(0)), ...bigEndian(body.length, 4)].concat(body);
}

/** Encodes a meta event. */
export function metaEvent(type: number, data: readonly number[]): number[] {
  return [0xff, type, ...variableLength(data.length), ...data];
}

/** Encodes an integer in a number of bytes, the highest first. */
export function bigEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 0xff);
}

/** Encodes an integer as a variable-length quantity: groups of seven bits, all but the last with the high bit set. */
function variableLength(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

/** Encodes a text as UTF-8. */
export function textBytes(text: string): number[] {
  const bytes = encodeURIComponent(text.toWellFormed()).match(/%[0-9A-F]{2}|./g) ?? [];
  return bytes.map((byte) => (byte.length === 3 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0)));
}

/** Encodes a Standard MIDI File of format 1 with these tracks. */
export function midiFile(tracks: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const head = [...bigEndian(1, 2), ...bigEndian(tracks.length, 2), ...bigEndian(TICKS_PER_QUARTER, 2)];
  return Uint8Array.from(chunk('MThd', head).concat(...tracks));
}

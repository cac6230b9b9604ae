/** What comes first of what falls on one tick: notes end before bends move, and those before notes begin. */
const ORDER = { head: 0, noteOff: 1, bend: 2, noteOn: 3 } as const;

/** Events of one track of a MIDI file, in any order until they are all there. */
export interface MidiTrack {
  /** Puts an event (its bytes without the time) at a tick, a whole number from 0. */
  add(tick: number, kind: keyof typeof ORDER, bytes: readonly number[]): void;
  /** The chunk `MTrk`: all events in their order, each after its distance from the one before, and the end. */
  finish(): number[];
}

/** A track without events. */
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

/** A chunk of a MIDI file: four letters, the length, what is in it. */
export function chunk(name: string, body: readonly number[]): number[] {
  return [...Array.from(name, (letter) => letter.charCodeAt(0)), ...bigEndian(body.length, 4)].concat(body);
}

/** An event that says something about the music and is not played. */
export function metaEvent(type: number, data: readonly number[]): number[] {
  return [0xff, type, ...variableLength(data.length), ...data];
}

/** A whole number as so many bytes, the highest first. */
export function bigEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 0xff);
}

/** A whole number in groups of seven bits, all but the last marked. */
function variableLength(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MidiEvent, parseMidi } from 'midi-file';
import { beatLookupOf } from '../../rhythm/grid/beat-lookup.ts';
import type { MidiNote } from './notes-track.ts';
import type { QuantizeStep } from './quantize.ts';
import { createTempoMap, type TempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';
import { writeMidiFile } from './write-midi.ts';

interface Placed {
  readonly tick: number;
  readonly event: MidiEvent;
}

function placed(events: readonly MidiEvent[]): Placed[] {
  let tick = 0;
  return events.map((event) => ({ tick: (tick += event.deltaTime), event }));
}

/** Returns the time of a tick as a player computes it from the tempo events of the file. */
function playedAt(conductor: readonly Placed[], tick: number): number {
  let seconds = 0;
  let now = 0;
  let perQuarter = 500_000;
  for (const { tick: at, event } of conductor) {
    if (at >= tick) break;
    seconds += ((at - now) * perQuarter) / 1e6 / TICKS_PER_QUARTER;
    now = at;
    if (event.type === 'setTempo') perQuarter = event.microsecondsPerBeat;
  }
  return seconds + ((tick - now) * perQuarter) / 1e6 / TICKS_PER_QUARTER;
}

/** Returns the ticks at which bars begin, from the time signatures of the file. */
function barTicks(conductor: readonly Placed[], until: number): number[] {
  const signatures = conductor.flatMap(({ tick, event }) =>
    event.type === 'timeSignature'
      ? [{ tick, length: (event.numerator * 4 * TICKS_PER_QUARTER) / event.denominator }]
      : [],
  );
  const bars: number[] = [];
  signatures.forEach(({ tick, length }, index) => {
    const end = signatures[index + 1]?.tick ?? until;
    for (let at = tick; at < end; at += length) bars.push(at);
  });
  return bars;
}

function fileOf(
  notes: readonly MidiNote[],
  map: TempoMap,
  options: { quantize?: QuantizeStep | null; hasBends?: boolean; title?: string } = {},
) {
  const { quantize = null, hasBends = false, title = 'A song' } = options;
  const bytes = writeMidiFile({ title, part: 'bass', program: 33, notes, map, quantize, hasBends });
  const { header, tracks } = parseMidi(bytes);
  return { header, conductor: placed(tracks[0] ?? []), events: placed(tracks[1] ?? []) };
}

const noteOf = (pitch: number, startSeconds: number, endSeconds: number): MidiNote => ({
  pitch,
  startSeconds,
  endSeconds,
  velocity: 90,
  bendsCents: [],
});

/** Returns beats that slow down, with the first bar at the third beat. */
function slowing(signature: '4/4' | '6/8', first = 0.37) {
  const beats: number[] = [first];
  for (let at = 1; at < 40; at++) beats.push((beats[at - 1] ?? 0) + 0.5 + at * 0.003);
  const perBar = signature === '6/8' ? 2 : 4;
  const downbeats = beats.filter((_, at) => at >= 2 && (at - 2) % perBar === 0);
  const grid = beatLookupOf({ beats, downbeats, time_signature: signature });
  return { beats, downbeats, grid };
}

const isOn = ({ event }: Placed) => event.type === 'noteOn';
const isOff = ({ event }: Placed) => event.type === 'noteOff';

describe('MIDI file', () => {
  it('plays its notes at their detected times when the tempo varies', () => {
    const { beats, grid } = slowing('4/4');
    const notes = beats.map((time, at) => noteOf(40 + (at % 5), time + 0.1, time + 0.3));
    const { conductor, events } = fileOf([noteOf(60, 0, 0.2), ...notes], createTempoMap(grid));
    const starts = events.filter(isOn).map(({ tick }) => playedAt(conductor, tick));
    const ends = events.filter(isOff).map(({ tick }) => playedAt(conductor, tick));
    [0, ...beats.map((time) => time + 0.1)].forEach((time, at) =>
      assert.ok(Math.abs((starts[at] ?? -1) - time) < 0.002, `${starts[at]}, not ${time}`),
    );
    beats.forEach((time, at) => assert.ok(Math.abs((ends[at + 1] ?? -1) - time - 0.3) < 0.002));
  });

  for (const signature of ['4/4', '6/8'] as const) {
    it(`has its bars at the downbeats of the song, in ${signature}`, () => {
      for (const first of [0, 0.03, 0.37, 4.2]) {
        const { downbeats, grid } = slowing(signature, first);
        const { conductor } = fileOf([], createTempoMap(grid));
        const bars = barTicks(conductor, 90 * TICKS_PER_QUARTER).map((tick) => playedAt(conductor, tick));
        for (const time of downbeats) {
          assert.ok(
            bars.some((bar) => Math.abs(bar - time) < 0.003),
            `${first}: no bar at ${time}: ${bars.map((bar) => bar.toFixed(3)).join(' ')}`,
          );
        }
        const usual = conductor.findLast(({ event }) => event.type === 'timeSignature')?.event;
        assert.ok(usual?.type === 'timeSignature');
        assert.equal(`${usual.numerator}/${usual.denominator}`, signature);
      }
    });
  }

  it('writes a steady tempo once, and a time signature for a bar of another length', () => {
    const beats = Array.from({ length: 33 }, (_, at) => at / 2);
    const downbeats = [0, 4, 7, 11, 15].map((at) => at / 2);
    const grid = beatLookupOf({ beats, downbeats, time_signature: '4/4' });
    const { tempos, signatures } = createTempoMap(grid);
    assert.deepEqual(tempos, [{ tick: 0, microsecondsPerQuarter: 500_000 }]);
    assert.deepEqual(
      signatures.map(({ tick, numerator }) => [tick / TICKS_PER_QUARTER, numerator]),
      [
        [0, 4],
        [4, 3],
        [7, 4],
      ],
    );
  });

  it('uses 120 bpm in 4/4 without detected beats', () => {
    for (const beats of [[], [1]]) {
      const map = createTempoMap(beatLookupOf({ beats }));
      assert.deepEqual(map.signatures, [{ tick: 0, numerator: 4, denominator: 4 }]);
      assert.deepEqual(map.tempos, [{ tick: 0, microsecondsPerQuarter: 500_000 }]);
      assert.equal(map.tickAt(1.25), 2.5 * TICKS_PER_QUARTER);
    }
  });

  it('maps times to ticks across thousands of tempo changes', () => {
    const beats = Array.from({ length: 3000 }, (_, beat) => beat * 0.5 + 0.1 * Math.sin(beat / 7));
    const map = createTempoMap(beatLookupOf({ beats }));
    assert.ok(map.tempos.length > 1000, String(map.tempos.length));
    const first = map.tickAt(beats[0] ?? 0);
    for (const [beat, seconds] of beats.entries())
      assert.ok(Math.abs(map.tickAt(seconds) - first - beat * TICKS_PER_QUARTER) < 20, String(beat));
  });

  it('quantizes notes to the nearest division, at least one division long, and merges duplicate notes', () => {
    const map = createTempoMap(null);
    const notes = [noteOf(60, 0.49, 0.52), noteOf(60, 0.52, 0.9), noteOf(64, 0.27, 0.74)];
    const { events } = fileOf(notes, map, { quantize: 8 });
    const quarters = events.filter((each) => isOn(each) || isOff(each)).map(({ tick }) => tick / 480);
    assert.deepEqual(quarters, [0.5, 1, 1.5, 2]);
  });

  it('quantizes notes to the bars of a song that starts with an upbeat', () => {
    const { downbeats, grid } = slowing('4/4');
    const map = createTempoMap(grid);
    const { conductor, events } = fileOf([noteOf(60, (downbeats[3] ?? 0) + 0.04, 12)], map, { quantize: 4 });
    const [on] = events.filter(isOn);
    assert.ok(on && barTicks(conductor, 1e5).includes(on.tick));
  });

  it('ends a note before its pitch repeats, and contains the title, the track name and the instrument', () => {
    const notes = [noteOf(50, 0, 1), noteOf(50, 0.5, 1.5)];
    const { header, conductor, events } = fileOf(notes, createTempoMap(null), { title: 'Für Elise 🎹' });
    assert.deepEqual([header.format, header.numTracks, header.ticksPerBeat], [1, 2, 480]);
    assert.deepEqual(
      events.filter((each) => isOn(each) || isOff(each)).map(({ tick, event }) => [tick, event.type]),
      [
        [0, 'noteOn'],
        [480, 'noteOff'],
        [480, 'noteOn'],
        [1440, 'noteOff'],
      ],
    );
    const [name] = conductor;
    assert.ok(name?.event.type === 'trackName');
    assert.equal(Buffer.from(name.event.text, 'latin1').toString('utf8'), 'Für Elise 🎹');
    assert.ok(events.some(({ event }) => event.type === 'programChange' && event.programNumber === 33));
    assert.equal(events.at(-1)?.event.type, 'endOfTrack');
  });

  it('limits pitch bends to two semitones, and writes them only when requested', () => {
    const note = { ...noteOf(60, 0, 1), bendsCents: [0, 2, 100, -200, 900] };
    const bends = (hasBends: boolean) =>
      fileOf([note], createTempoMap(null), { hasBends }).events.flatMap(({ tick, event }) =>
        event.type === 'pitchBend' ? [[tick, event.value]] : [],
      );
    assert.deepEqual(bends(false), []);
    assert.deepEqual(bends(true), [
      [0, 0],
      [384, 4096],
      [576, -8192],
      [768, 8191],
    ]);
  });

  it('holds an hour of notes', () => {
    const notes = Array.from({ length: 40_000 }, (_, at) => ({
      ...noteOf(30 + (at % 60), at * 0.09, at * 0.09 + 0.2),
      bendsCents: [0, 20],
    }));
    const { events } = fileOf(notes, createTempoMap(null), { hasBends: true });
    assert.equal(events.filter(isOn).length, 40_000);
  });
});

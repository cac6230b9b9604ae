import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MidiEvent, parseMidi } from 'midi-file';
import { beatLookupOf } from '../../rhythm/grid/beat-lookup.ts';
import { createTempoMap, TICKS_PER_QUARTER } from './tempo-map.ts';
import { type ArrangedPart, type MidiArrangement, writeMidiArrangement } from './write-arrangement.ts';

/** Two bars of 120 bpm, then two bars of 100 bpm. */
const beats = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.6, 5.2, 5.8, 6.4, 7, 7.6, 8.2, 8.8];
const grid = beatLookupOf({ beats, downbeats: beats.filter((_, at) => at % 4 === 0), time_signature: '4/4' });

const note = (pitch: number, startSeconds: number, endSeconds: number) => ({
  pitch,
  startSeconds,
  endSeconds,
  velocity: 90,
  bendsCents: [],
});
const part = (name: string, more: Partial<ArrangedPart> = {}): ArrangedPart => ({
  name,
  program: 33,
  isDrums: false,
  notes: [note(40, 0.5, 1)],
  ...more,
});

function tracksOf(song: Partial<MidiArrangement>) {
  const bytes = writeMidiArrangement({
    title: 'A song',
    map: createTempoMap(grid),
    key: '',
    parts: [],
    markers: [],
    chords: [],
    hasChordNotes: false,
    quantize: null,
    ...song,
  });
  const { header, tracks } = parseMidi(bytes);
  return {
    header,
    tracks: tracks.map((events) => {
      let tick = 0;
      return events.map((event) => ({ quarter: (tick += event.deltaTime) / TICKS_PER_QUARTER, event }));
    }),
  };
}

const texts = (events: readonly { quarter: number; event: MidiEvent }[], type: string) =>
  events.flatMap(({ quarter, event }) =>
    event.type === type && 'text' in event ? [`${quarter} ${event.text}`] : [],
  );
const notes = (events: readonly { quarter: number; event: MidiEvent }[]) =>
  events.flatMap(({ quarter, event }) =>
    event.type === 'noteOn' || event.type === 'noteOff'
      ? [`${quarter} ${event.type} ${event.noteNumber} on ${event.channel}`]
      : [],
  );

describe('MIDI file of an arrangement', () => {
  it('has a track for each part after those of tempi and chords, drums on channel 10', () => {
    const { header, tracks } = tracksOf({
      parts: [part('bass'), part('drums', { isDrums: true }), part('vocals')],
      chords: [{ start: 0, end: 4, label: 'Am' }],
    });
    assert.deepEqual([header.format, header.numTracks, header.ticksPerBeat], [1, 5, TICKS_PER_QUARTER]);
    assert.deepEqual(
      tracks.map((events) => texts(events, 'trackName')),
      [['0 A song'], ['0 Chords'], ['0 bass'], ['0 drums'], ['0 vocals']],
    );
    const channels = tracks.slice(2).map((events) => notes(events)[0]?.slice(-2).trim());
    assert.deepEqual(channels, ['1', '9', '2']);
  });

  it('has beats on quarter notes and notes at their beats where the tempo changes', () => {
    const { tracks } = tracksOf({
      parts: [part('bass', { notes: beats.map((at) => note(40, at, at + 0.2)) })],
    });
    const starts =
      tracks[1]?.flatMap(({ quarter, event }) => (event.type === 'noteOn' ? [quarter] : [])) ?? [];
    assert.equal(starts.length, beats.length);
    for (const [beat, quarter] of starts.entries())
      assert.ok(Math.abs(quarter - beat) < 0.01, `beat ${beat} at ${quarter}`);
  });

  it('has markers at their positions and the signature of the key', () => {
    const { tracks } = tracksOf({
      key: 'C minor',
      markers: [
        { seconds: 2, text: 'Chorus' },
        { seconds: 0.5, text: 'Strophe é' },
      ],
    });
    const [first = []] = tracks;
    const markers = texts(first, 'marker');
    assert.deepEqual(markers, [`1 ${Buffer.from('Strophe é').toString('latin1')}`, '4 Chorus']);
    const keyOf = (key: string) =>
      tracksOf({ key }).tracks[0]?.flatMap(({ event }) =>
        event.type === 'keySignature' ? [event.key, event.scale] : [],
      );
    assert.deepEqual(
      ['C major', 'C minor', 'A minor', 'D major', 'A# major', 'F# major', 'G# minor', ''].map(keyOf),
      [[0, 0], [-3, 1], [0, 1], [2, 0], [-2, 0], [6, 0], [5, 1], []],
    );
  });

  it('has chords as texts, and as notes if requested', () => {
    const chords = [
      { start: 0, end: 2, label: 'Am' },
      { start: 2, end: 3, label: 'N' },
      { start: 3, end: 4, label: 'Gmaj7' },
    ];
    const written = tracksOf({ chords }).tracks[1] ?? [];
    assert.deepEqual(texts(written, 'text'), ['0 Am', '6 Gmaj7']);
    assert.deepEqual(notes(written), []);
    assert.deepEqual(notes(tracksOf({ chords, hasChordNotes: true }).tracks[1] ?? []), [
      '0 noteOn 57 on 0',
      '0 noteOn 60 on 0',
      '0 noteOn 64 on 0',
      '4 noteOff 57 on 0',
      '4 noteOff 60 on 0',
      '4 noteOff 64 on 0',
      '6 noteOn 55 on 0',
      '6 noteOn 59 on 0',
      '6 noteOn 62 on 0',
      '6 noteOn 66 on 0',
      '8 noteOff 55 on 0',
      '8 noteOff 59 on 0',
      '8 noteOff 62 on 0',
      '8 noteOff 66 on 0',
    ]);
  });
});

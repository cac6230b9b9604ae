import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { AccuracyScores } from './accuracy-scores.ts';
import { listBeatSongs } from './beat-songs.ts';
import { EvidenceTable } from './evidence-table.ts';

const truth = {
  version: 1,
  seed: 2_000_007,
  seconds: 0.5,
  genre: 'waltz',
  metre: '3/4',
  beatsPerBar: 3,
  bpm: 120,
  isAmbiguous: false,
  timing: 'straight',
  swing: 0,
  drums: 'none',
  instruments: ['chords 0'],
  beats: [
    [0.1, 3],
    [0.6, 1],
    [1.1, 2],
  ],
  tempoCurve: [[0.1, 120]],
  chords: [],
  key: 'C major',
  sections: [],
};

describe('rendered songs', () => {
  let folder = '';
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'stem-studio-bench-'));
    const frames = 22_050;
    const left = Float32Array.from({ length: frames }, (_, at) => Math.sin(at / 20) / 2);
    const encoder = createWavEncoder({
      sampleRate: 44_100,
      channels: 2,
      bitDepth: '16',
      expectedFrames: frames,
    });
    const head = await encoder.encode([left, left.map((value) => -value)]);
    const { tail } = await encoder.finish();
    writeFileSync(path.join(folder, '2000007.wav'), Buffer.concat([head, tail]));
    writeFileSync(path.join(folder, '2000007.json'), JSON.stringify(truth));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are read with their beats, downbeats and metre, and both audio channels', () => {
    const [song, ...others] = listBeatSongs(folder);
    assert.equal(others.length, 0);
    assert.equal(song?.name, '2000007 waltz');
    assert.deepEqual(song?.truth, {
      bpm: 120,
      beats: [0.1, 0.6, 1.1],
      downbeats: [0.6],
      timeSignature: '3/4',
    });
    const [left = [], right = []] = song?.readSamples() ?? [];
    assert.equal(left.length, 22_050);
    assert.ok(Math.abs((left[31] ?? 0) - Math.sin(31 / 20) / 2) < 1e-4);
    assert.ok(Math.abs((right[31] ?? 0) + Math.sin(31 / 20) / 2) < 1e-4);
  });

  it('say whether enough beats sound to tell them from the off-beats', () => {
    const file = path.join(folder, '2000007.json');
    assert.equal(listBeatSongs(folder)[0]?.isUnknowable, false);
    writeFileSync(file, JSON.stringify({ ...truth, soundingBeats: 0.1 }));
    assert.equal(listBeatSongs(folder)[0]?.isUnknowable, true);
    writeFileSync(file, JSON.stringify({ ...truth, soundingBeats: 0.6 }));
    assert.equal(listBeatSongs(folder)[0]?.isUnknowable, false);
  });

  it('are rejected with the name of the file and the field that is wrong', () => {
    writeFileSync(path.join(folder, '2000008.json'), JSON.stringify({ ...truth, beats: [['a', 1]] }));
    assert.throws(() => listBeatSongs(folder), /2000008\.json is not the truth of a song: [\s\S]*beats/);
    assert.equal(listBeatSongs(folder, 1).length, 1);
  });
});

describe('sets of pieces side by side', () => {
  const beats = Array.from({ length: 40 }, (_, index) => index / 2);
  const late = beats.map((beat) => beat + 0.25);
  const found = { duration_seconds: 20, features: {}, tempo: 120 };

  it('differ by the mean of each property that was scored in both', () => {
    const data = new AccuracyScores();
    data.add({ bpm: 120, beats, key: 'C major' }, { ...found, beats, key: 'C major' });
    const songs = new AccuracyScores();
    songs.add({ bpm: 120, beats }, { ...found, beats });
    songs.add({ bpm: 120, beats }, { ...found, beats: late });
    const rows = data.differences('more: ', songs);
    assert.deepEqual(
      rows.find(({ what }) => what === 'more: beat F, 70 ms'),
      { what: 'more: beat F, 70 ms', value: 0.5, unit: '', against: '1 − 0.5' },
    );
    assert.ok(rows.every(({ what }) => !what.includes('key')));
  });

  it('count a recording without sections as right if it has one', () => {
    const scores = new AccuracyScores();
    const whole = [{ start: 0, end: 20, label: 'applause' }];
    scores.add({ sections: whole }, { ...found, sections: [{ start: 0, end: 20, label: 'verse' }] });
    scores.add(
      { sections: whole },
      {
        ...found,
        sections: [
          { start: 0, end: 9, label: 'verse' },
          { start: 9, end: 20, label: 'verse' },
        ],
      },
    );
    assert.deepEqual(scores.rows(), [
      { what: 'one section where there is one (n = 2)', value: 0.5, unit: '' },
    ]);
  });

  it('show what each kind of evidence alone would choose, and a dash for a kind that there is not', () => {
    const table = new EvidenceTable();
    const line = table.add(
      { beats, downbeats: beats.filter((_, index) => index % 4 === 0) },
      new Map([
        ['onsets', { beats, downbeats: beats.filter((_, index) => index % 4 === 0) }],
        ['chords', { beats: late, downbeats: [] }],
        ['network', null],
      ]),
    );
    assert.equal(line, 'alone: network –, onsets 1.00/1.00, drums –, chords 0.00/0.00, repetition –');
    assert.deepEqual(
      table.rows('x: ').map(({ what, value }) => [what, value]),
      [
        ['x: onsets alone: beat F (n = 1)', 1],
        ['x: onsets alone: downbeat F (n = 1)', 1],
        ['x: chords alone: beat F (n = 1)', 0],
        ['x: chords alone: downbeat F (n = 1)', 0],
      ],
    );
  });
});

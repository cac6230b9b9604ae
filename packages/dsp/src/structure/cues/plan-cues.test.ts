import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CueGround, CuePlan } from './cue-plan.ts';
import { LEAST_CUES, planCues } from './plan-cues.ts';

/** Returns a track of two-second bars, composed of parts with a name, a length in bars and an energy. */
function compose(
  parts: readonly (readonly [label: string, bars: number, energy: number])[],
  { beatsPerBar = 4, metre = '4/4' } = {},
): CueGround {
  const bars = parts.reduce((sum, [, count]) => sum + count, 0);
  const beat = 2 / beatsPerBar;
  let start = 0;
  const sections = parts.map(([label, count]) => {
    const section = { start, end: start + 2 * count, label };
    start = section.end;
    return section;
  });
  return {
    duration_seconds: 2 * bars,
    beats: Array.from({ length: bars * beatsPerBar }, (_, index) => index * beat),
    downbeats: Array.from({ length: bars }, (_, bar) => 2 * bar),
    time_signature: metre,
    tempo_confidence: 1,
    sections,
    chords: [],
    energy_curve: parts.flatMap(([, count, energy]) => Array.from({ length: 2 * count }, () => energy)),
  };
}

const song = compose([
  ['intro', 16, 0.2],
  ['verse', 16, 0.5],
  ['build', 8, 0.6],
  ['drop', 16, 1],
  ['breakdown', 16, 0.3],
  ['drop', 16, 1],
  ['outro', 16, 0.2],
]);

/** Asserts the invariants of every plan with beats. */
function assertValid({ cues }: CuePlan, ground: CueGround): void {
  const beats = ground.beats ?? [];
  cues.forEach((cue, index) => {
    assert.equal(cue.seconds, beats[(cue.beat ?? 0) - 1], 'a cue stands on a beat');
    assert.ok(index === 0 || cue.seconds > (cues[index - 1]?.seconds ?? 0), 'ascending, never two on a beat');
    assert.ok(cue.confidence >= 0 && cue.confidence <= 1);
  });
  const ranks = cues.map(({ rank }) => rank).toSorted((left, right) => left - right);
  assert.deepEqual(
    ranks,
    cues.map((_, index) => index + 1),
  );
}

describe('cue points of a track', () => {
  it('are at least 26, ascending, on distinct beats, each with its own rank', () => {
    const plan = planCues(song);
    assert.ok(plan.cues.length >= 26, `got ${plan.cues.length}`);
    assert.equal(plan.reason, null);
    assertValid(plan, song);
  });

  it('mark the start of each section, labelled after it and numbered when it repeats', () => {
    const wanted = [
      [0, 'intro', 'Intro'],
      [32, 'verse', 'Verse'],
      [64, 'build', 'Build'],
      [80, 'drop', 'Drop 1'],
      [112, 'breakdown', 'Breakdown'],
      [144, 'drop', 'Drop 2'],
      [176, 'outro', 'Outro'],
    ];
    const found = planCues(song).cues.map(({ seconds, kind, label }) => [seconds, kind, label]);
    for (const cue of wanted)
      assert.deepEqual(
        found.filter(([seconds]) => seconds === cue[0]),
        [cue],
      );
  });

  it('mark 32, 16 and 8 bars before the first drop and before the end where no section starts', () => {
    const mixes = planCues(song).cues.filter(({ kind }) => kind === 'mix_in' || kind === 'mix_out');
    assert.deepEqual(
      mixes.map(({ seconds, label }) => [seconds, label]),
      [
        [16, 'Mix in, 32 bars before drop 1'],
        [48, 'Mix in, 16 bars before drop 1'],
        [192, 'Mix out, 8 bars left'],
      ],
    );
  });

  it('never begin a mix-out in the first half of a track or before its first drop or chorus', () => {
    const short = planCues(
      compose([
        ['intro', 8, 0.2],
        ['verse', 16, 0.5],
        ['chorus', 12, 1],
      ]),
    );
    const outs = short.cues.filter(({ kind }) => kind === 'mix_out');
    assert.deepEqual(
      outs.map(({ bar, label }) => [bar, label]),
      [[29, 'Mix out, 8 bars left']],
    );
    for (const bars of [9, 12, 20, 33, 43]) {
      const { cues } = planCues(compose([['verse', bars, 0.5]]));
      for (const { kind, bar } of cues)
        assert.ok(kind !== 'mix_out' || (bar ?? 0) > bars / 2, `mix-out at bar ${bar} of ${bars}`);
    }
  });

  it('name phrases by their number, and bars by their section', () => {
    const { cues } = planCues(
      compose([
        ['verse', 24, 0.5],
        ['chorus', 10, 1],
      ]),
    );
    const labelAt = (bar: number) => cues.find((cue) => cue.bar === bar)?.label;
    assert.equal(labelAt(5), 'Bar 5 · middle of phrase 1');
    assert.equal(labelAt(13), 'Bar 13 · middle of phrase 2');
    assert.equal(labelAt(33), 'Bar 33 · phrase 5');
    assert.equal(labelAt(27), 'Chorus · bar 3');
    assert.equal(labelAt(4), 'Verse · bar 4');
    const plain = planCues(compose([['N', 12, 0.5]]));
    assert.equal(plain.cues.find(({ bar }) => bar === 3)?.label, 'Bar 3 · phrase 1');
  });

  it('suggest four-bar loops at the quietest point of intro, breakdown and outro', () => {
    const loops = planCues(song).cues.filter(({ kind }) => kind === 'loop');
    assert.deepEqual(
      loops.map(({ loopBeats, label }) => [loopBeats, label]),
      [
        [16, 'Loop 4 bars, intro'],
        [16, 'Loop 4 bars, breakdown'],
        [16, 'Loop 4 bars, outro'],
      ],
    );
    // The breakdown has constant energy, so its last four bars are the loop that leads back into the drop.
    assert.equal(loops[1]?.seconds, 144 - 8);
  });

  it('mark where a voice enters and where it leaves, ignoring short peaks', () => {
    const ground = {
      ...compose([['verse', 64, 0.2]]),
      vocal_curve: Array.from({ length: 128 }, (_, second) => {
        if (second === 10) return 0.9;
        return second >= 40 && second < 80 ? 0.9 : 0.1;
      }),
    };
    const transitions = planCues(ground).cues.filter(({ kind }) => kind === 'transition');
    assert.deepEqual(
      transitions.map(({ seconds, label }) => [seconds, label]),
      [
        [40, 'Voice enters'],
        [80, 'Voice leaves'],
      ],
    );
  });

  it('mark energy changes within a section, and key changes', () => {
    const plain = compose([['verse', 64, 0.2]]);
    const ground = {
      ...plain,
      energy_curve: plain.energy_curve?.map((value, second) => (second < 44 ? value : 0.8)) ?? [],
      keys: [
        { start: 0, end: 100, key: 'A minor' },
        { start: 100, end: 128, key: 'B minor' },
      ],
    };
    const transitions = planCues(ground).cues.filter(({ kind }) => kind === 'transition');
    assert.deepEqual(
      transitions.map(({ seconds, label }) => [seconds, label]),
      [
        [44, 'Energy rises'],
        [100, 'Key changes to B minor'],
      ],
    );
  });

  it('have a higher confidence where section start, energy change and chord change coincide', () => {
    const ground = {
      ...song,
      chords: [
        { start: 0, end: 80, label: 'Am' },
        { start: 80, end: 208, label: 'F' },
      ],
    };
    const { cues } = planCues(ground);
    const drop = cues.find(({ label }) => label === 'Drop 1');
    // All four kinds of evidence: a section after eight bars, a change of energy of 0.4 in a range of 0.8, a phrase and
    // a chord.
    assert.ok(drop && Math.abs(drop.confidence - (0.4 + 0.3 * (0.4 / 0.8) + 0.15 + 0.15)) < 0.01);
    assert.equal(drop.rank, 1);
    const phrase = cues.find(({ seconds }) => seconds === 96);
    assert.ok(phrase && phrase.confidence < 0.5 * drop.confidence);
    const unsure = planCues({ ...ground, tempo_confidence: 0 }).cues.find(({ label }) => label === 'Drop 1');
    assert.ok(unsure && Math.abs(unsure.confidence - drop.confidence / 2) < 0.001);
  });

  it('rank repeated kinds lower: the first eight contain at least six kinds', () => {
    const first = planCues(song).cues.filter(({ rank }) => rank <= 8);
    assert.ok(new Set(first.map(({ kind }) => kind)).size >= 6);
    assert.ok(first.some(({ kind }) => kind === 'intro') && first.some(({ kind }) => kind === 'outro'));
    assert.deepEqual(
      first.filter(({ kind }) => kind === 'phrase' || kind === 'bar'),
      [],
    );
  });

  it('are filled up to 26 with phrases, then bars, then beats', () => {
    const short = compose([['verse', 10, 0.5]]);
    const { cues, reason } = planCues(short);
    assert.equal(cues.length, 26);
    assert.equal(reason, null);
    assertValid({ cues, reason }, short);
    // The ten downbeats of ten bars come before any beat within a bar.
    for (const downbeat of short.downbeats ?? [])
      assert.ok(cues.some(({ seconds, kind }) => seconds === downbeat && kind !== 'beat'));
    assert.equal(cues.filter(({ kind }) => kind === 'beat').length, 16);
  });

  it('are as many as the beats, with a reason, in a track of fewer than 26 beats', () => {
    const short = compose([['verse', 3, 0.5]]);
    const plan = planCues(short);
    assert.equal(plan.cues.length, 12);
    assert.match(plan.reason ?? '', /only 12 beats/);
    assertValid(plan, short);
    assert.equal(planCues(compose([['verse', 7, 0.5]])).cues.length, LEAST_CUES);
  });

  it('count bars of two beats in 6/8 and of three in 3/4', () => {
    for (const [beatsPerBar, metre] of [
      [2, '6/8'],
      [3, '3/4'],
    ] as const) {
      const ground = compose(
        [
          ['intro', 8, 0.2],
          ['chorus', 16, 0.9],
          ['outro', 8, 0.2],
        ],
        { beatsPerBar, metre },
      );
      const plan = planCues(ground);
      assert.ok(plan.cues.length >= 26);
      assertValid(plan, ground);
      const chorus = plan.cues.find(({ kind }) => kind === 'chorus');
      assert.deepEqual([chorus?.seconds, chorus?.beat, chorus?.bar], [16, 8 * beatsPerBar + 1, 9]);
      assert.ok(plan.cues.some(({ loopBeats }) => loopBeats === 4 * beatsPerBar));
    }
  });

  it('start at the first beat when the track has an upbeat, which is bar 0', () => {
    const whole = compose([
      ['intro', 8, 0.2],
      ['drop', 16, 1],
    ]);
    const beats = [...(whole.beats ?? [])];
    const ground = { ...whole, downbeats: (whole.downbeats ?? []).map((time) => time + 1), beats };
    const { cues } = planCues(ground);
    assert.deepEqual(
      cues.slice(0, 2).map(({ kind, seconds, bar }) => [kind, seconds, bar]),
      [
        ['first_beat', 0, 0],
        ['intro', 1, 1],
      ],
    );
  });

  it('mark the first beat as the first section when that section ends with the upbeat', () => {
    const ground = {
      ...compose([['verse', 16, 0.5]]),
      downbeats: Array.from({ length: 15 }, (_, bar) => 1 + 2 * bar),
      sections: [
        { start: 0, end: 1, label: 'intro' },
        { start: 1, end: 32, label: 'verse' },
      ],
    };
    const found = planCues(ground).cues.map(({ kind, seconds }) => [kind, seconds]);
    assert.deepEqual(
      found.filter(([kind]) => kind === 'intro' || kind === 'verse' || kind === 'first_beat'),
      [
        ['intro', 0],
        ['verse', 1],
      ],
    );
  });

  it('snap the start of a section to a downbeat within one beat', () => {
    const ground = {
      ...song,
      sections: song.sections?.map((section) => ({ ...section, start: section.start + 0.4 })) ?? [],
    };
    const drops = planCues(ground).cues.filter(({ kind }) => kind === 'drop');
    assert.deepEqual(
      drops.map(({ seconds }) => seconds),
      [80, 144],
    );
  });

  it('are the section starts, with low confidence and without beats, in a track without pulse', () => {
    const { cues, reason } = planCues({ ...song, beats: [], downbeats: [], time_signature: '' });
    assert.deepEqual(
      cues.map(({ seconds, beat, bar }) => [seconds, beat, bar]),
      [0, 32, 64, 80, 112, 144, 176].map((seconds) => [seconds, null, null]),
    );
    assert.ok(cues.every(({ confidence }) => confidence <= 0.3));
    assert.match(reason ?? '', /No pulse/);
  });

  it('are empty for silence and for an empty track, with a reason', () => {
    const silence = planCues({
      duration_seconds: 10,
      beats: [],
      downbeats: [],
      sections: [{ start: 0, end: 10, label: 'verse' }],
      energy_curve: Array.from({ length: 10 }, () => 0),
    });
    assert.deepEqual(silence.cues, []);
    assert.match(silence.reason ?? '', /is silent/);
    const nothing = planCues({ duration_seconds: 0 });
    assert.deepEqual(nothing.cues, []);
    assert.ok(nothing.reason);
  });

  it('number 26 to 64 in a mix of one hour, and spread over an unchanging one', () => {
    const names = ['verse', 'drop', 'breakdown', 'build', 'chorus'];
    const parts = Array.from({ length: 150 }, (_, index) => {
      return [names[index % 5] ?? 'verse', 12, 0.2 + 0.15 * (index % 5)] as const;
    });
    const mix = compose(parts);
    const plan = planCues(mix);
    assert.ok(plan.cues.length >= 26 && plan.cues.length <= 64, `got ${plan.cues.length}`);
    assertValid(plan, mix);
    const plain = planCues(compose([['verse', 1800, 0.5]]));
    // A mix that never changes gets cue points at its phrases, spread over its whole length.
    const gaps = plain.cues.slice(1).map(({ seconds }, index) => seconds - (plain.cues[index]?.seconds ?? 0));
    assert.ok(Math.max(...gaps) <= 300, `got ${Math.max(...gaps)}`);
  });

  it('ignore invalid, duplicate and unsorted beats', () => {
    const odd = planCues({
      duration_seconds: 60,
      beats: [Number.NaN, 3, 1, 1.001, 2, 4, 5, Number.POSITIVE_INFINITY],
      downbeats: [],
      sections: [{ start: 0, end: 60, label: 'N' }],
    });
    assert.deepEqual(
      odd.cues.map(({ seconds }) => seconds),
      [1, 2, 3, 4, 5],
    );
  });
});

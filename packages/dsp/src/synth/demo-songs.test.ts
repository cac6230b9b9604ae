import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoSongs, renderDemoSong } from './demo-songs.ts';
import { pitchClassNames } from './pitch.ts';
import { mixOf, renderArrangement, type StemBlock } from './render-arrangement.ts';
import { type Arrangement, stemNames } from './sequence/arrangement.ts';
import { parseChord } from './sequence/chord.ts';
import { SAMPLE_RATE_HZ } from './stereo-samples.ts';

/** Returns an arrangement from a time on, without sounds that start before it. */
function excerpt(arrangement: Arrangement, fromSeconds: number): Arrangement {
  const shift = Math.round(fromSeconds * SAMPLE_RATE_HZ);
  return {
    ...arrangement,
    parts: arrangement.parts.map((part) => ({
      ...part,
      events: part.events
        .map((event) => ({ ...event, start: event.start - shift }))
        .filter((event) => event.start > -SAMPLE_RATE_HZ / 2),
    })),
  };
}

function hashOf(blocks: Iterable<StemBlock>): number {
  let hash = 0x811c9dc5;
  for (const block of blocks) {
    for (const side of stemNames.flatMap((stem) => block[stem])) {
      for (const byte of new Uint8Array(side.buffer, side.byteOffset, side.byteLength)) {
        hash = Math.imul(hash ^ byte, 0x01000193);
      }
    }
  }
  return hash >>> 0;
}

for (const song of demoSongs) {
  const loudest = song.sections.find(({ label }) => label === 'drop' || label === 'chorus')!;

  test(`renders ${song.title} to the same samples each time`, () => {
    const render = (): number => hashOf(renderArrangement(excerpt(song.arrange(), loudest.start), 1.5));
    assert.equal(render(), render());
  });

  test(`renders ${song.title} in blocks of the requested total length with four stereo stems`, () => {
    let samples = 0;
    for (const block of renderDemoSong(song, 0.5)) {
      for (const stem of stemNames) {
        assert.equal(block[stem].length, 2);
        assert.ok(block[stem].every((side) => side.length === block.vocals[0]!.length));
      }
      samples += block.vocals[0]!.length;
    }
    assert.equal(samples, Math.round(0.5 * SAMPLE_RATE_HZ));
  });

  test(`keeps the mix of ${song.title} equal to the sum of its stems, below −1 dBFS, with audio in every stem`, () => {
    const powers = new Map<string, number>();
    const offsets = new Map<string, number>();
    let peak = 0;
    let count = 0;
    for (const block of renderArrangement(excerpt(song.arrange(), loudest.start), 4)) {
      const mix = mixOf(block);
      for (const stem of stemNames) {
        for (const sample of block[stem][0]!) {
          assert.ok(Number.isFinite(sample));
          powers.set(stem, (powers.get(stem) ?? 0) + sample * sample);
          offsets.set(stem, (offsets.get(stem) ?? 0) + sample);
        }
      }
      mix.forEach((side, index) =>
        side.forEach((sample, at) => {
          const sum = stemNames.reduce((total, stem) => total + block[stem][index]![at]!, 0);
          assert.equal(sample, Math.fround(sum));
          peak = Math.max(peak, Math.abs(sample));
        }),
      );
      count += mix[0]!.length;
    }
    assert.ok(peak <= 10 ** (-1 / 20), `peak ${peak}`);
    for (const stem of stemNames) {
      const levelDb = 10 * Math.log10(powers.get(stem)! / count);
      assert.ok(levelDb > -32 && levelDb < -12, `${stem} at ${levelDb} dB`);
      assert.ok(Math.abs(offsets.get(stem)! / count) < 1e-3, `${stem} has an offset`);
    }
  });

  test(`covers ${song.title} with sections and chords from beginning to end`, () => {
    for (const spans of [song.sections, song.chords]) {
      assert.equal(spans[0]!.start, 0);
      assert.ok(Math.abs(spans.at(-1)!.end - song.duration_seconds) < 1e-9);
      for (let index = 1; index < spans.length; index++) {
        assert.ok(Math.abs(spans[index]!.start - spans[index - 1]!.end) < 1e-9);
      }
    }
    assert.ok(song.duration_seconds >= 60 && song.duration_seconds <= 90);
  });

  test(`puts the beats of ${song.title} by its tempo and the downbeats by its time signature`, () => {
    const beats = song.beats();
    const steps = beats.slice(1).map((beat, index) => beat - beats[index]!);
    assert.ok(steps.every((step) => Math.abs(step - 60 / song.tempo) < 1e-9));
    // In 6/8 a bar has two beats of three eighths each.
    const beatsPerBar = { '4/4': 4, '6/8': 2 }[song.time_signature]!;
    assert.deepEqual(
      song.downbeats(),
      beats.filter((_, index) => index % beatsPerBar === 0),
    );
    assert.ok(beats.at(-1)! < song.duration_seconds);
  });

  test(`puts the drums of ${song.title} on its beats`, () => {
    const arrangement = song.arrange();
    const drums = { ...arrangement, parts: arrangement.parts.filter(({ stem }) => stem === 'drums') };
    const samples: number[] = [];
    for (const block of renderArrangement(excerpt(drums, loudest.start), 8)) {
      for (const sample of block.drums[0]!) samples.push(sample);
    }
    // Rise of energy in steps of 5 ms, on beats and two fifths of a beat after them, where no note of any of the songs
    // begins.
    const hop = Math.round(0.005 * SAMPLE_RATE_HZ);
    const energyAt = (seconds: number): number => {
      const at = Math.max(0, Math.round(seconds * SAMPLE_RATE_HZ));
      let energy = 0;
      for (let index = at; index < at + 4 * hop; index++) energy += samples[index]! ** 2;
      for (let index = Math.max(0, at - 5 * hop); index < at - hop; index++) energy -= samples[index]! ** 2;
      return Math.max(0, energy);
    };
    const beats = song
      .beats()
      .map((beat) => beat - loudest.start)
      .filter((beat) => beat >= 0.2 && beat < 7.5);
    const sum = (times: number[]): number => times.reduce((total, time) => total + energyAt(time), 0);
    const between = sum(beats.map((beat) => beat + 24 / song.tempo));
    assert.ok(sum(beats) > 8 * between, `on ${sum(beats)}, between ${between}`);
  });

  test(`keeps the chords of ${song.title} in its key`, () => {
    const weights = new Float64Array(12);
    for (const { start, end, label } of song.chords) {
      const chord = parseChord(label);
      chord.tones.forEach((tone, index) => (weights[tone]! += (end - start) * (index === 0 ? 1.5 : 1)));
    }
    assert.equal(keyOf(weights), song.key);
  });

  test(`keeps the lyrics of ${song.title} in order and within the song`, () => {
    for (const { start, end } of song.lyrics)
      assert.ok(start >= 0 && end > start && end <= song.duration_seconds);
    const starts = song.lyrics.map(({ start }) => start);
    assert.deepEqual(
      starts,
      starts.toSorted((one, other) => one - other),
    );
  });
}

test('gives each demo song its own tempo, key and name', () => {
  for (const field of ['tempo', 'key', 'slug', 'title'] as const) {
    assert.equal(new Set(demoSongs.map((song) => song[field])).size, demoSongs.length);
  }
});

/** Correlates Krumhansl and Kessler's profiles with the weights in all 24 keys (Krumhansl 1990). */
function keyOf(weights: Float64Array): string {
  const profiles = {
    major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
    minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
  };
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / 12;
  let best = '';
  let most = -Infinity;
  for (const [mode, profile] of Object.entries(profiles)) {
    const level = profile.reduce((sum, value) => sum + value, 0) / 12;
    const length = Math.hypot(...profile.map((value) => value - level));
    pitchClassNames.forEach((name, tonic) => {
      const fit =
        profile.reduce(
          (sum, value, step) => sum + (value - level) * (weights[(tonic + step) % 12]! - mean),
          0,
        ) / length;
      if (fit > most) {
        most = fit;
        best = `${name} ${mode}`;
      }
    });
  }
  return best;
}

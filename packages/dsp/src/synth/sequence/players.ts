import { type BassTone, renderBass } from '../instrument/bass.ts';
import { midiOf } from '../pitch.ts';
import { createRandom, type Random, seedOf } from '../random.ts';
import type { StereoSamples } from '../stereo-samples.ts';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Singer, SungNote } from '../voice/gestures.ts';
import { PHRASE_LEAD_SAMPLES, singPhrase } from '../voice/sing.ts';
import type { Part } from './arrangement.ts';
import type { Grid } from './grid.ts';
import { hitsOf, type LineNote } from './pattern.ts';

/** Renders a drum hit at a strength. */
export type Hit = (velocity: number, random: Random) => StereoSamples;

/**
 * Returns a hit that reuses a few recorded takes at each strength in turn, as a sampler does: hundreds of hats cost no
 * more than a dozen.
 *
 * @param takes number of different takes at each of 18 strengths
 */
export function recordTakes(hit: Hit, takes = 3): Hit {
  const recorded = new Map<number, StereoSamples>();
  return (velocity, random) => {
    const level = Math.max(1, Math.round(velocity * 18));
    const key = level * takes + Math.floor(random() * takes);
    const found = recorded.get(key);
    if (found) return found;
    const samples = hit(level / 18, createRandom(seedOf(key)));
    recorded.set(key, samples);
    return samples;
  };
}

/** Position of a line or pattern. */
export interface Placement {
  readonly bar: number;
  readonly beat?: number;
  readonly gain?: number;
  readonly pan?: number;
}

/**
 * Adds a bar of hits. Each hit varies slightly in strength and time (about 2 ms), as a human player does.
 *
 * @param looseness 0 machine, 1 human
 */
export function playHits(
  part: Part,
  grid: Grid,
  pattern: string,
  hit: Hit,
  placement: Placement,
  looseness = 1,
): void {
  for (const { beat, velocity } of hitsOf(pattern, grid.beatsPerBar)) {
    const seed = seedOf(part.name, placement.bar, beat, pattern);
    const random = createRandom(seed);
    const strength = Math.min(1, velocity * (1 + 0.12 * looseness * (random() - random())));
    const late = Math.round(0.002 * SAMPLE_RATE_HZ * looseness * (random() - random()));
    part.events.push({
      start: grid.sampleAt(placement.bar, beat + (placement.beat ?? 0)) + late,
      gain: placement.gain ?? 1,
      pan: placement.pan ?? 0,
      render: () => hit(strength, random),
    });
  }
}

/** Adds one sound at a position. */
export function playOnce(
  part: Part,
  grid: Grid,
  render: (random: Random) => StereoSamples,
  placement: Placement,
): void {
  const random = createRandom(seedOf(part.name, placement.bar, placement.beat ?? 0));
  part.events.push({
    start: grid.sampleAt(placement.bar, placement.beat ?? 0),
    gain: placement.gain ?? 1,
    pan: placement.pan ?? 0,
    render: () => render(random),
  });
}

/** Returns the length of a note in seconds, including swing. */
export function noteSeconds(grid: Grid, bar: number, beat: number, beats: number): number {
  return (grid.sampleAt(bar, beat + beats) - grid.sampleAt(bar, beat)) / SAMPLE_RATE_HZ;
}

/** Renders one note of a line on an instrument. */
export type Voice = (
  midi: number,
  durationSeconds: number,
  velocity: number,
  random: Random,
) => StereoSamples;

/**
 * Returns a voice that caches its latest notes and reuses them for the same pitch, length and strength (in steps of a
 * tenth), as in repeated choruses.
 *
 * @param most number of cached notes: a note of 3 s takes 1 MB
 */
export function recordNotes(voice: Voice, most = 24): Voice {
  const kept = new Map<string, StereoSamples>();
  return (midi, durationSeconds, velocity) => {
    const strength = Math.round(velocity * 10) / 10;
    const key = `${midi} ${Math.round(durationSeconds * SAMPLE_RATE_HZ)} ${strength}`;
    const samples = kept.get(key) ?? voice(midi, durationSeconds, strength, createRandom(seedOf(key)));
    // Inserted again at the end, so that the first entry of the map is the least recently used.
    kept.delete(key);
    kept.set(key, samples);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return samples;
  };
}

/** Adds a melody. */
export function playLine(
  part: Part,
  grid: Grid,
  line: readonly LineNote[],
  voice: Voice,
  placement: Placement,
  transpose = 0,
): void {
  for (const { beat, beats, note } of line) {
    const at = beat + (placement.beat ?? 0);
    const random = createRandom(seedOf(part.name, placement.bar, at, note));
    const velocity = 0.8 + 0.15 * random();
    const seconds = noteSeconds(grid, placement.bar, at, beats) * 0.96;
    const midi = midiOf(note) + transpose;
    const start = grid.sampleAt(placement.bar, at);
    part.events.push({
      start,
      gain: placement.gain ?? 1,
      pan: placement.pan ?? 0,
      notes: [{ startSeconds: start / SAMPLE_RATE_HZ, durationSeconds: seconds, midi }],
      render: () => voice(midi, seconds, velocity, random),
    });
  }
}

/** Adds a bass line; a note with the syllable `~` glides from the one before. */
export function playBass(
  part: Part,
  grid: Grid,
  line: readonly LineNote[],
  tone: BassTone,
  placement: Placement,
): void {
  line.forEach(({ beat, beats, note, syllable }, index) => {
    const midi = midiOf(note);
    const before = line[index - 1];
    const accent = beat % 1 === 0 ? 0.95 : 0.8;
    const seconds = noteSeconds(grid, placement.bar, beat, beats) - 0.012;
    const glideFrom = syllable === '~' && before ? midiOf(before.note) : undefined;
    const start = grid.sampleAt(placement.bar, beat);
    part.events.push({
      start,
      gain: placement.gain ?? 1,
      pan: 0,
      notes: [{ startSeconds: start / SAMPLE_RATE_HZ, durationSeconds: seconds, midi }],
      render: () => renderBass({ midi, durationSeconds: seconds, velocity: accent, glideFrom }, tone),
    });
  });
}

/** Another take, or a second part, of a sung line. */
export interface Take {
  readonly bar: number;
  readonly gain: number;
  readonly pan: number;
  /** Semitones, or a function from the written to the sung note (a harmony). */
  readonly transpose?: number | ((midi: number) => number);
  /** Detuning of this singer in cents, and the delay. */
  readonly cents?: number;
  readonly lateSeconds?: number;
}

/** Adds one take of a sung line as one phrase; rests within it do not interrupt the phrase. */
export function singLine(
  part: Part,
  grid: Grid,
  line: readonly LineNote[],
  singer: Singer,
  take: Take,
): void {
  const begin = grid.sampleAt(take.bar, line[0]!.beat);
  const bend = (midi: number): number =>
    typeof take.transpose === 'function' ? take.transpose(midi) : midi + (take.transpose ?? 0);
  const notes: SungNote[] = line.map(({ beat, beats, note, syllable }) => ({
    startSeconds: (grid.sampleAt(take.bar, beat) - begin) / SAMPLE_RATE_HZ,
    durationSeconds: noteSeconds(grid, take.bar, beat, beats),
    midi: bend(midiOf(note)) + (take.cents ?? 0) / 100,
    syllable,
  }));
  const late = Math.round((take.lateSeconds ?? 0) * SAMPLE_RATE_HZ);
  part.events.push({
    start: begin - PHRASE_LEAD_SAMPLES + late,
    gain: take.gain,
    pan: take.pan,
    notes: notes.map(({ startSeconds, durationSeconds, midi }) => ({
      startSeconds: startSeconds + (begin + late) / SAMPLE_RATE_HZ,
      durationSeconds,
      midi,
    })),
    render: () => singPhrase(notes, singer, seedOf(part.name, take.bar, take.pan, take.cents ?? 0)),
  });
}

/**
 * Returns a function to the note a number of steps above (or below) in a scale, for a second part.
 *
 * @param scale pitch classes, ascending from 0 to 11
 * @param steps 2 is a third
 */
export function harmonyAbove(scale: readonly number[], steps: number): (midi: number) => number {
  return (midi) => {
    const nearest = scale.reduce((best, tone, index) => {
      const away = Math.abs(((((midi - tone) % 12) + 18) % 12) - 6);
      const bestAway = Math.abs(((((midi - scale[best]!) % 12) + 18) % 12) - 6);
      return away < bestAway ? index : best;
    }, 0);
    const goal = nearest + steps;
    const octaves = Math.floor(goal / scale.length);
    const tone = scale[goal - octaves * scale.length]!;
    return midi + (tone - scale[nearest]!) + 12 * octaves;
  };
}

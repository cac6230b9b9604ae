import type { LabelledSpan } from '../demo-song.ts';
import type { Grid } from './grid.ts';

/** A section in bars with the chords of its bars, repeated until the section is full; a bar may contain two: `F G`. */
export interface FormSection {
  readonly label: string;
  readonly bars: number;
  readonly chords: readonly string[];
}

/** A chord with its position in bars and beats. */
export interface PlacedChord {
  readonly bar: number;
  readonly beat: number;
  readonly beats: number;
  readonly label: string;
}

/** Returns the number of bars of all sections. */
export function barsOf(form: readonly FormSection[]): number {
  return form.reduce((sum, section) => sum + section.bars, 0);
}

/** Returns the bar in which the n-th section (from 0) begins. */
export function barOfSection(form: readonly FormSection[], index: number): number {
  return barsOf(form.slice(0, index));
}

/** Returns all chords of a song in order. */
export function chordsOf(form: readonly FormSection[], beatsPerBar: number): PlacedChord[] {
  let bar = 0;
  const placed: PlacedChord[] = [];
  for (const section of form) {
    for (let index = 0; index < section.bars; index++, bar++) {
      const labels = section.chords[index % section.chords.length]!.split(' ');
      const beats = beatsPerBar / labels.length;
      labels.forEach((label, part) => placed.push({ bar, beat: part * beats, beats, label }));
    }
  }
  return placed;
}

/** Returns the sections in seconds. */
export function sectionSpans(form: readonly FormSection[], grid: Grid): LabelledSpan[] {
  return form.map((section, index) => {
    const start = barOfSection(form, index);
    return {
      start: grid.secondsAtBeat(start * grid.beatsPerBar),
      end: grid.secondsAtBeat((start + section.bars) * grid.beatsPerBar),
      label: section.label,
    };
  });
}

/** Returns the chords in seconds, with equal neighbours merged. */
export function chordSpans(chords: readonly PlacedChord[], grid: Grid): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  for (const chord of chords) {
    const beat = chord.bar * grid.beatsPerBar + chord.beat;
    const span = {
      start: grid.secondsAtBeat(beat),
      end: grid.secondsAtBeat(beat + chord.beats),
      label: chord.label,
    };
    const last = spans.at(-1);
    if (last?.label === span.label) spans[spans.length - 1] = { ...last, end: span.end };
    else spans.push(span);
  }
  return spans;
}

/** Returns the times in seconds of every beat, or of every `each`-th. */
export function beatTimes(grid: Grid, each: number): number[] {
  const count = Math.ceil((grid.bars * grid.beatsPerBar) / each);
  return Array.from({ length: count }, (_, index) => grid.secondsAtBeat(index * each));
}

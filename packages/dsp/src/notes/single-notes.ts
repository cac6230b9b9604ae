import { audibleIn } from './audible.ts';
import { createNote } from './create-note.ts';
import type { NoteEvent, NoteOptions } from './note-event.ts';
import { FRAME_SECONDS, type NoteMap } from './note-map.ts';
import { PITCH_COUNT } from './note-network.ts';

/** Cost of a change of pitch, in frames of full activity; a lower cost would follow every vibrato. */
const CHANGE_COST = 2;
/** Fraction of the cost that a marked onset removes. */
const ONSET_DISCOUNT = 1;
/** Largest distance in frames between the start of the path and the onset of its note. */
const NEAR_FRAMES = 6;
/** Onset strength below which there is no identifiable onset. */
const LEAST_ONSET = 0.2;
/** State without a pitch. */
const REST = PITCH_COUNT;

/**
 * Extracts notes from a map in which only one sounds at a time, as in singing or a bass.
 *
 * The Viterbi path through pitches and rests has the largest activity above the threshold; changes of pitch have a cost
 * unless the note has an onset there. An onset of the same pitch begins a second note.
 */
export function singleNotes(map: NoteMap, options: NoteOptions): NoteEvent[] {
  const leastFrames = Math.round(options.minimumNoteSeconds / FRAME_SECONDS);
  const path = findPath(map, options.frameThreshold);
  const isAudible = audibleIn(map);
  const runs: { start: number; end: number; pitch: number }[] = [];
  for (let start = 0; start < path.length; ) {
    const pitch = path[start] ?? REST;
    let end = start + 1;
    while (
      end < path.length &&
      path[end] === pitch &&
      !begins(map, end, pitch, start, options, leastFrames)
    ) {
      end += 1;
    }
    const before = runs.at(-1);
    const from = pitch === REST ? start : beginningNear(map, start, end, pitch, before?.start ?? 0);
    if (before) before.end = Math.min(before.end, from);
    if (pitch !== REST) runs.push({ start: from, end, pitch });
    start = end;
  }
  return runs
    .filter(({ start, end }) => end - start > leastFrames && isAudible(start, end))
    .map(({ start, end, pitch }) => createNote(map, start, end, pitch));
}

/** Returns the frame near a start with the strongest onset, if there is one, after the note before. */
function beginningNear(
  { onsets }: NoteMap,
  start: number,
  end: number,
  pitch: number,
  after: number,
): number {
  let best = start;
  let most = LEAST_ONSET;
  for (
    let frame = Math.max(after + 1, start - NEAR_FRAMES);
    frame < Math.min(end, start + NEAR_FRAMES);
    frame++
  ) {
    const onset = onsets[frame * PITCH_COUNT + pitch] ?? 0;
    if (onset <= most) continue;
    most = onset;
    best = frame;
  }
  return best;
}

/** Whether a pitch has a new onset in a frame, at least one shortest note after the start. */
function begins(
  { onsets, frames }: NoteMap,
  frame: number,
  pitch: number,
  start: number,
  { onsetThreshold }: NoteOptions,
  leastFrames: number,
): boolean {
  if (pitch === REST || frame - start <= leastFrames) return false;
  const at = frame * PITCH_COUNT + pitch;
  const value = onsets[at] ?? 0;
  if (value <= onsetThreshold) return false;
  const after = frame < frames - 1 ? (onsets[at + PITCH_COUNT] ?? 0) : -1;
  return value > (onsets[at - PITCH_COUNT] ?? 0) && value > after;
}

/** Returns the best pitch (counted from 0) of each frame, or `REST`. */
function findPath({ frames, notes, onsets }: NoteMap, threshold: number): Uint8Array {
  const states = PITCH_COUNT + 1;
  const cameFrom = new Uint8Array(frames * states);
  let scores = new Float64Array(states);
  let next = new Float64Array(states);
  for (let frame = 0; frame < frames; frame++) {
    let best = 0;
    for (let state = 1; state < states; state++) {
      if ((scores[state] ?? 0) > (scores[best] ?? 0)) best = state;
    }
    const top = scores[best] ?? 0;
    for (let state = 0; state < states; state++) {
      const at = frame * PITCH_COUNT + state;
      const gain = state === REST ? 0 : (notes[at] ?? 0) - threshold;
      const cost = state === REST ? 0 : CHANGE_COST * (1 - ONSET_DISCOUNT * (onsets[at] ?? 0));
      const stay = scores[state] ?? 0;
      const isChange = top - cost > stay;
      next[state] = gain + (isChange ? top - cost : stay);
      cameFrom[frame * states + state] = isChange ? best : state;
    }
    [scores, next] = [next, scores];
  }
  const path = new Uint8Array(frames);
  let state = scores.reduce((best, score, at) => (score > (scores[best] ?? 0) ? at : best), REST);
  for (let frame = frames - 1; frame >= 0; frame--) {
    path[frame] = state;
    state = cameFrom[frame * states + state] ?? REST;
  }
  return path;
}

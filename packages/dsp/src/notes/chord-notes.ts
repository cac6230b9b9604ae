import { audibleIn } from './audible.ts';
import { createNote } from './create-note.ts';
import type { NoteEvent, NoteOptions } from './note-event.ts';
import { FRAME_SECONDS, type NoteMap } from './note-map.ts';
import { PITCH_COUNT } from './note-network.ts';

/** Number of frames below the threshold after which a note has ended. */
const TOLERATED_FRAMES = 11;
/** Frames over which activity must rise for an onset that the network does not mark. */
const RISE_FRAMES = 2;

/**
 * Extracts notes from a map in which any number may sound at once.
 *
 * Each onset, from the last to the first, consumes the activity of its pitch and of the adjacent semitones until that
 * stays under the threshold. Activity left above the threshold then becomes notes too, the strongest first, extended to
 * both sides ("melodia trick"): notes with a gradual onset.
 *
 * @see Bittner et al., ICASSP 2022, 2.3; the rules are those of its authors' program
 */
export function chordNotes(map: NoteMap, options: NoteOptions): NoteEvent[] {
  const { frames } = map;
  const { onsetThreshold, frameThreshold, minimumNoteSeconds } = options;
  const leastFrames = Math.round(minimumNoteSeconds / FRAME_SECONDS);
  const left = map.notes.slice();
  const beginnings = inferBeginnings(map);
  const made: NoteEvent[] = [];
  const isAudible = audibleIn(map);

  const silence = (frame: number, pitch: number): void => {
    const at = frame * PITCH_COUNT + pitch;
    left[at] = 0;
    if (pitch > 0) left[at - 1] = 0;
    if (pitch < PITCH_COUNT - 1) left[at + 1] = 0;
  };
  /** Returns the frame after the last one of a note, walking from `frame` in steps of 1 or −1. */
  const endOf = (frame: number, pitch: number, step: 1 | -1): number => {
    let at = frame + step;
    let weak = 0;
    for (; at >= 0 && at < frames && weak < TOLERATED_FRAMES; at += step) {
      weak = (left[at * PITCH_COUNT + pitch] ?? 0) < frameThreshold ? weak + 1 : 0;
    }
    return at - step * weak;
  };
  const take = (start: number, end: number, pitch: number): void => {
    for (let frame = start; frame < end; frame++) silence(frame, pitch);
    if (end - start > leastFrames && isAudible(start, end)) made.push(createNote(map, start, end, pitch));
  };

  for (let frame = frames - 2; frame >= 0; frame--) {
    for (let pitch = PITCH_COUNT - 1; pitch >= 0; pitch--) {
      if (!isPeak(beginnings, frames, frame, pitch, onsetThreshold)) continue;
      const end = endOf(frame, pitch, 1);
      // Activity of notes that are too short remains for the notes around it.
      if (end - frame > leastFrames) take(frame, end, pitch);
    }
  }
  for (const at of strongestFirst(left, frameThreshold)) {
    if ((left[at] ?? 0) <= frameThreshold) continue;
    const pitch = at % PITCH_COUNT;
    const frame = (at - pitch) / PITCH_COUNT;
    take(endOf(frame, pitch, -1) + 1, endOf(frame, pitch, 1), pitch);
  }
  return made.sort((one, other) => one.startSeconds - other.startSeconds || one.pitch - other.pitch);
}

/**
 * Returns onset strengths: those of the network, or the rise of activity scaled to the same range if that is larger.
 */
function inferBeginnings({ frames, onsets, notes }: NoteMap): Float32Array {
  const rise = new Float32Array(onsets.length);
  let largestRise = 0;
  for (let frame = RISE_FRAMES; frame < frames; frame++) {
    for (let pitch = 0; pitch < PITCH_COUNT; pitch++) {
      const at = frame * PITCH_COUNT + pitch;
      let least = Number.POSITIVE_INFINITY;
      for (let back = 1; back <= RISE_FRAMES; back++) {
        least = Math.min(least, (notes[at] ?? 0) - (notes[at - back * PITCH_COUNT] ?? 0));
      }
      rise[at] = Math.max(0, least);
      largestRise = Math.max(largestRise, least);
    }
  }
  let largest = 0;
  for (const onset of onsets) largest = Math.max(largest, onset);
  const scale = largestRise > 0 ? largest / largestRise : 0;
  return onsets.map((onset, at) => Math.max(onset, scale * (rise[at] ?? 0)));
}

/** Whether a value above the threshold is a local maximum in time. */
function isPeak(
  values: Float32Array,
  frames: number,
  frame: number,
  pitch: number,
  threshold: number,
): boolean {
  const at = frame * PITCH_COUNT + pitch;
  const value = values[at] ?? 0;
  if (value <= threshold) return false;
  const before = frame > 0 ? (values[at - PITCH_COUNT] ?? 0) : -1;
  const after = frame < frames - 1 ? (values[at + PITCH_COUNT] ?? 0) : -1;
  return value > before && value > after;
}

/** Returns the indices of the values above a threshold, the largest value first. */
function strongestFirst(values: Float32Array, threshold: number): Uint32Array {
  let count = 0;
  for (const value of values) if (value > threshold) count += 1;
  const indices = new Uint32Array(count);
  let at = 0;
  values.forEach((value, index) => {
    if (value > threshold) indices[at++] = index;
  });
  return indices.sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0));
}

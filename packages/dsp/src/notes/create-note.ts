import type { NoteEvent } from './note-event.ts';
import { FRAME_SECONDS, type NoteMap } from './note-map.ts';
import { LOWEST_PITCH, PITCH_COUNT } from './note-network.ts';

/** Creates the note at a pitch (counted from 0) from one frame to another (exclusive). */
export function createNote(map: NoteMap, start: number, end: number, pitch: number): NoteEvent {
  let sum = 0;
  const bendsCents: number[] = [];
  for (let frame = start; frame < end; frame++) {
    const at = frame * PITCH_COUNT + pitch;
    sum += map.notes[at] ?? 0;
    bendsCents.push(map.cents[at] ?? 0);
  }
  return {
    startSeconds: start * FRAME_SECONDS,
    endSeconds: end * FRAME_SECONDS,
    pitch: LOWEST_PITCH + pitch,
    amplitude: sum / (end - start),
    bendsCents,
  };
}

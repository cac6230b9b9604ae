import { z } from 'zod';
import { intBetween } from '../bounded-number.ts';
import { editBounds } from '../limits.ts';

/** Id of a note: the id of the operation that created it, a dot and a number. */
export const noteId = z.string().min(1).max(editBounds.noteId);

const startMs = intBetween(0, editBounds.ms - 1);
const lengthMs = intBetween(1, editBounds.ms);
/** MIDI number, 60 for middle C. */
const pitch = intBetween(0, 127);
const velocity = intBetween(1, 127);

/**
 * A note of a lane.
 *
 * @spec Notes of lanes
 */
export const laneNote = z.strictObject({
  id: noteId,
  /** Start on the timeline. */
  start_ms: startMs,
  length_ms: lengthMs,
  pitch,
  velocity,
});
/** A note of a lane. */
export type LaneNote = z.infer<typeof laneNote>;

/** A note that an operation adds; its id is derived from that of the operation. */
export const newNote = z
  .strictObject({ start_ms: startMs, length_ms: lengthMs, pitch, velocity })
  .refine(({ start_ms, length_ms }) => start_ms + length_ms <= editBounds.ms, {
    error: ({ input }) => {
      const { start_ms, length_ms } = input as { start_ms: number; length_ms: number };
      return `must end at or before ${editBounds.ms} ms (got ${start_ms + length_ms})`;
    },
    path: ['length_ms'],
  });
/** A note that an operation adds. */
export type NewNote = z.infer<typeof newNote>;

/** New values of a note; those that are absent stay. */
export const noteChange = z.strictObject({
  id: noteId,
  start_ms: startMs.optional(),
  length_ms: lengthMs.optional(),
  pitch: pitch.optional(),
  velocity: velocity.optional(),
});
/** New values of a note. */
export type NoteChange = z.infer<typeof noteChange>;

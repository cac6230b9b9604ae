import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { clipId, fadeCurve, laneId } from './edit-operation.ts';
import { stemType } from './stem.ts';

const ms = z.int().min(0);
const fade = z.strictObject({ length_ms: ms, curve: fadeCurve });

/** A part of a source on the timeline. */
export const clip = z.strictObject({
  id: clipId,
  /** Stem that it plays. */
  source: stemType,
  /** Start on the timeline. */
  start_ms: ms,
  /** Start in the source. */
  from_ms: ms,
  length_ms: z.int().min(1),
  fade_in: fade,
  fade_out: fade,
  /** Gain in percent, 0 to 200. */
  volume: z.number(),
});
/** A part of a source on the timeline. */
export type Clip = z.infer<typeof clip>;

/** Row of the editor: the clips of a stem, with a channel strip. */
export const lane = z.strictObject({
  id: laneId,
  /** Percent, 0 to 200. */
  volume: z.number(),
  /** −100 (left) to 100 (right). */
  pan: z.number(),
  is_muted: z.boolean(),
  is_soloed: z.boolean(),
  /** By `start_ms`. */
  clips: z.array(clip),
});
/** Row of the editor. */
export type Lane = z.infer<typeof lane>;

/** What a project sounds like after its operations up to a position in the log. */
export const projectState = z.strictObject({
  lanes: z.array(lane),
  /** What was cut or copied last; starts of clips are relative to its start. */
  clipboard: z
    .strictObject({ length_ms: ms, lanes: z.array(z.strictObject({ id: laneId, clips: z.array(clip) })) })
    .nullable(),
  markers: z.array(z.strictObject({ start_ms: ms, label: z.string() })),
  /**
   * Which time of the song stands where on the timeline, by `start_ms`: bars, chords and sections are drawn through it.
   * `remove_time` changes it; other operations leave the song's time where it is.
   */
  time_map: z.array(z.strictObject({ start_ms: ms, from_ms: ms })),
  /** Length of every stem. */
  sources: z.array(z.strictObject({ source: stemType, length_ms: ms })),
  /** Length of the song, in ms. */
  duration_ms: ms,
});
/** State of a project. */
export type ProjectState = z.infer<typeof projectState>;

/**
 * Edit of a track in the editor, one of several.
 *
 * @spec Projects
 */
export const project = z.object({
  id: uuid,
  track_id: uuid,
  name: z.string(),
  /** Separation whose stems it edits. */
  job_id: uuid,
  /** Whether these stems exist. A project whose stems were deleted is kept, but not changed. */
  has_stems: z.boolean(),
  /** Number of operations in the log. */
  operations: z.int().min(0),
  /** Number of operations that are applied; undo and redo change it. */
  position: z.int().min(0),
  /** Number of changes of the log or the position so far. */
  version: z.int().min(0),
  created_at: timestamp,
  updated_at: timestamp,
});
/** Edit of a track in the editor. */
export type Project = z.infer<typeof project>;

/** A project with its state at the position. */
export const openedProject = project.extend({ state: projectState });
/** A project with its state at the position. */
export type OpenedProject = z.infer<typeof openedProject>;

import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { clipId, fadeCurve, laneId } from './edit-operation.ts';
import { flatEq, laneCompressor, laneEq, newReverb, reverbSettings } from './lane-effects.ts';
import { laneNote } from './lane-note.ts';
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
  /** Start in the source, or in the warp of the source. */
  from_ms: ms,
  length_ms: z.int().min(1),
  fade_in: fade,
  fade_out: fade,
  /** Gain in percent, 0 to 200. */
  volume: z.number(),
  /** Warp whose time `from_ms` is in; null where it plays the source at its own tempo. */
  warp: z.string().nullable().default(null),
  /** Transposition. */
  semitones: z.number().default(0),
  /** Whether it plays the source, and the warp, from their end on: `from_ms` counts from there. */
  is_reversed: z.boolean().default(false),
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
  eq: laneEq.default(flatEq),
  compressor: laneCompressor.nullable().default(null),
  /** Percent of its output, after the fader, that goes to the reverb. */
  reverb_send: z.number().default(0),
  /** By `start_ms`. */
  clips: z.array(clip),
  /**
   * By `start_ms`, then by pitch. They belong to the timeline, not to the clips: operations on clips leave them where they
   * are.
   */
  notes: z.array(laneNote).default([]),
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
   * `remove_time` and a warp of everything change it; other operations leave the song's time where it is. `rate` is the
   * length of song for each ms from there on.
   */
  time_map: z.array(
    z.strictObject({ start_ms: z.number().min(0), from_ms: z.number().min(0), rate: z.number().default(1) }),
  ),
  /**
   * Stretched times of sources. Clips of a warp count `from_ms` in its time: at `at_ms` it plays the source at `from_ms`,
   * with a steady tempo between two points and at the recorded tempo beyond the outer ones.
   */
  warps: z
    .array(
      z.strictObject({
        id: z.string(),
        points: z.array(z.strictObject({ at_ms: z.number(), from_ms: z.number() })),
      }),
    )
    .default([]),
  /** Reverb that all lanes share. */
  reverb: reverbSettings.default(newReverb),
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

import { z } from 'zod';
import { intBetween, numberBetween } from '../bounded-number.ts';
import { timestamp, uuid } from '../ids.ts';
import { editBounds } from '../limits.ts';
import { laneCompressor, laneEq, reverbSettings } from './lane-effects.ts';
import { newNote, noteChange, noteId } from './lane-note.ts';

/** Value that a message is about. */
interface Received {
  readonly input?: unknown;
}

/** Position or length in ms. */
const ms = intBetween(0, editBounds.ms);

/** Shapes of a fade. */
export const fadeCurve = z.enum(['linear', 'equal_power', 'exponential', 's_curve']);
/** Shape of a fade. */
export type FadeCurve = z.infer<typeof fadeCurve>;

/** Id of a lane: the type of its stem (`vocals`), or the id of the operation that added the lane. */
export const laneId = z.string().min(1).max(editBounds.laneId);
/** Id of a clip: that of its lane for the whole stem, otherwise the id of the operation that created it, a dot and a number. */
export const clipId = z.string().min(1).max(editBounds.clipId);

/** Lanes that an operation changes: one (`stem_type`), several (`lanes`), or all where both are absent. */
const onLanes = {
  stem_type: laneId.optional(),
  lanes: z.array(laneId).min(1).max(editBounds.lanes).optional(),
};
const span = { start_ms: ms, end_ms: ms };
const endAgainstStart = (rule: string) => ({
  error: ({ input }: Received) => {
    const { start_ms, end_ms } = input as { start_ms: number; end_ms: number };
    return `${rule} start_ms ${start_ms} (got ${end_ms})`;
  },
  path: ['end_ms'],
});
const forward = endAgainstStart('must be after');
const isForward = ({ start_ms = 0, end_ms = 1 }: { start_ms?: number; end_ms?: number }) => end_ms > start_ms;

const spanParams = z.strictObject({ ...span, ...onLanes }).refine(isForward, forward);
const timeParams = z.strictObject(span).refine(isForward, forward);
/** Clips that an operation changes; all clips of the lanes where absent. */
const onClips = { clip_ids: z.array(clipId).min(1).max(editBounds.clips).optional() };
const fadeParams = z
  .strictObject({ ...span, ...onLanes, clip_id: clipId.optional(), ...onClips, curve: fadeCurve.optional() })
  .refine(({ start_ms, end_ms }) => end_ms >= start_ms, endAgainstStart('must not be before'));
const switchParams = z.strictObject({ ...onLanes, value: z.union([z.literal(0), z.literal(1)]) });
/** Position of fractions of a ms: beats and transients lie between whole ones. */
const exactMs = numberBetween(0, editBounds.ms);

/** Points of a warp in their order: `from_ms` moves to `to_ms`. */
const warpPoints = z
  .array(z.strictObject({ from_ms: exactMs, to_ms: exactMs }))
  .min(2)
  .max(editBounds.warpPoints)
  .superRefine((points, context) => {
    for (const [index, { from_ms, to_ms }] of points.entries()) {
      const before = points[index - 1];
      if (!before) continue;
      const rate = (from_ms - before.from_ms) / (to_ms - before.to_ms);
      const isForward = from_ms > before.from_ms && to_ms > before.to_ms;
      if (isForward && rate >= editBounds.leastRate && rate <= editBounds.mostRate) continue;
      const message = isForward
        ? `must not play the audio before it at less than ${editBounds.leastRate} or more than ${editBounds.mostRate} times its tempo (got ${rate})`
        : 'must be after the point before it, on both sides';
      context.addIssue({ code: 'custom', path: [index], message });
    }
  });

/**
 * Parameters of every kind of edit operation. Positions are on the timeline, in ms.
 *
 * @spec Edit operations
 */
export const editParams = {
  /** Moves the audio of the span to the clipboard of the project; silence remains. */
  cut: spanParams,
  /** Copies the audio of the span to the clipboard of the project. */
  copy: spanParams,
  /** Inserts the clipboard at `to_ms` on the lanes it was taken from, instead of what they have there. */
  paste: z.strictObject({ to_ms: ms }),
  /** Deletes the audio of the span; silence remains. */
  delete: spanParams,
  /** Copies the audio of the span to the end of the span, instead of what is there. */
  duplicate: spanParams,
  /** Deletes the span on all lanes and moves what follows to its start, notes and markers included. */
  remove_time: timeParams,
  /** Deletes everything before and after the span; with `clip_id` moves both ends of that clip. */
  trim: z.strictObject({ ...span, ...onLanes, clip_id: clipId.optional() }).refine(isForward, forward),
  /** Splits clips at `start_ms`. */
  split: z.strictObject({ start_ms: ms, ...onLanes }),
  /**
   * Moves clips so that the earliest one starts at `to_ms`, with `stem_type` to another lane. A clip that they cover
   * completely is deleted; clips that overlap in part are crossfaded.
   */
  move: z.strictObject({
    clip_ids: z.array(clipId).min(1).max(editBounds.clips),
    to_ms: ms,
    stem_type: laneId.optional(),
  }),
  /**
   * Fades in over the span; a clip that starts before it is split at its start. With `clip_id` the fade of that clip, as long as the
   * span. With `clip_ids` the fades of these clips: one that is there keeps its length and gets the curve, the others are as
   * long as the span, at most half the clip. A span without length removes the fades.
   */
  fade_in: fadeParams,
  /** Fades out over the span; a clip that ends after it is split at its end. With clips as for `fade_in`. */
  fade_out: fadeParams,
  /** Sets the gain of a span or of clips in percent; without either the fader of the lanes. */
  volume: z
    .strictObject({
      start_ms: ms.optional(),
      end_ms: ms.optional(),
      ...onLanes,
      clip_id: clipId.optional(),
      ...onClips,
      value: numberBetween(0, editBounds.volumePercent),
    })
    .refine(({ start_ms, end_ms }) => (start_ms === undefined) === (end_ms === undefined), {
      error: 'must be given together with start_ms',
      path: ['end_ms'],
    })
    .refine(isForward, forward),
  /** Sets the pan of lanes, −100 (left) to 100 (right). */
  pan: z.strictObject({ ...onLanes, value: numberBetween(-editBounds.pan, editBounds.pan) }),
  /** Mutes (1) or unmutes (0) lanes. */
  mute: switchParams,
  /** Soloes (1) or unsoloes (0) lanes; with `is_exclusive` the other lanes are unsoloed. */
  solo: switchParams.extend({ is_exclusive: z.boolean().optional() }),
  /** Sets a marker with the text `label`; an empty text deletes the marker at `start_ms`. */
  marker: z.strictObject({ start_ms: ms, label: z.string().trim().max(editBounds.label) }),
  /**
   * Moves audio from positions of the timeline to others and stretches what is between, with its pitch kept; before the
   * first and after the last point audio is shifted. Without clips and lanes everything is warped: all clips, markers and
   * the bars of the song. Notes move with lanes that are warped as a whole.
   */
  warp: z.strictObject({ points: warpPoints, ...onClips, ...onLanes }),
  /** Sets the transposition of clips, or of a span of the lanes, in semitones; the tempo stays. */
  transpose: z
    .strictObject({
      start_ms: ms.optional(),
      end_ms: ms.optional(),
      ...onClips,
      ...onLanes,
      value: numberBetween(-editBounds.semitones, editBounds.semitones),
    })
    .refine(({ start_ms, end_ms }) => (start_ms === undefined) === (end_ms === undefined), {
      error: 'must be given together with start_ms',
      path: ['end_ms'],
    })
    .refine(isForward, forward),
  /** Plays clips backwards (1) or forwards (0). */
  reverse: z.strictObject({
    clip_ids: z.array(clipId).min(1).max(editBounds.clips),
    value: z.union([z.literal(0), z.literal(1)]),
  }),
  /** Sets bands of the equaliser of lanes, in dB; those that are absent stay. */
  eq: z.strictObject({
    ...onLanes,
    low_db: laneEq.shape.low_db.optional(),
    mid_db: laneEq.shape.mid_db.optional(),
    high_db: laneEq.shape.high_db.optional(),
  }),
  /** Sets the compressor of lanes; null removes it. */
  compressor: z.strictObject({ ...onLanes, value: laneCompressor.nullable() }),
  /** Sets how much of lanes goes to the reverb, in percent. */
  reverb_send: z.strictObject({ ...onLanes, value: numberBetween(0, 100) }),
  /** Sets the reverb that all lanes share. */
  reverb: reverbSettings,
  /** Sets the notes of a lane, such as those of a transcription, instead of those that it has. */
  set_notes: z.strictObject({ stem_type: laneId, notes: z.array(newNote).max(editBounds.notes) }),
  /** Adds notes to a lane. */
  add_notes: z.strictObject({ stem_type: laneId, notes: z.array(newNote).min(1).max(editBounds.notes) }),
  /** Changes notes of a lane; those that it does not have are ignored. A note that is named twice gets the last values. */
  change_notes: z.strictObject({
    stem_type: laneId,
    notes: z.array(noteChange).min(1).max(editBounds.notes),
    /** Whether the changes bring notes to a grid; only for the text of the step. */
    is_quantised: z.literal(true).optional(),
  }),
  /** Deletes notes of a lane. */
  delete_notes: z.strictObject({ stem_type: laneId, note_ids: z.array(noteId).min(1).max(editBounds.notes) }),
} as const;

/** Kind of an edit operation. */
export type EditKind = keyof typeof editParams;
/** Kinds of edit operations. */
export const editKinds = Object.keys(editParams) as [EditKind, ...EditKind[]];

/** Kind and parameters of an edit operation. */
export type Edit = { [K in EditKind]: { operation: K; params: z.output<(typeof editParams)[K]> } }[EditKind];

/** Options of the union of all kinds: an unknown kind is reported with those that exist. */
const unionOptions = {
  error: ({ input }: Received) =>
    `must be one of ${editKinds.join(', ')} (got ${String((input as { operation?: unknown })?.operation)})`,
};

/** Returns the schemas of all kinds, with further fields. */
function kindsWith(fields: z.ZodRawShape) {
  const [first, ...others] = editKinds.map((kind) =>
    z.strictObject({ ...fields, operation: z.literal(kind), params: editParams[kind] }),
  );
  return [first, ...others] as [z.ZodObject, ...z.ZodObject[]];
}

/** {@link Edit} as it is sent. */
export const edit = z.discriminatedUnion('operation', kindsWith({}), unionOptions) as unknown as z.ZodType<
  Edit,
  Edit
>;

/** An edit with the id that its sender gave it; the ids of new clips are derived from it. */
export type IdentifiedEdit = Edit & { readonly id: string };

/** {@link IdentifiedEdit} as it is sent. */
export const identifiedEdit = z.discriminatedUnion(
  'operation',
  kindsWith({ id: uuid.toLowerCase() }),
  unionOptions,
) as unknown as z.ZodType<IdentifiedEdit, IdentifiedEdit>;

/** Operation in the log of a project. */
export const editOperation = z.object({
  id: uuid,
  project_id: uuid,
  track_id: uuid,
  /** Number in the log, from 1. */
  number: z.int().min(1),
  operation: z.enum(editKinds),
  params: z.record(z.string(), z.unknown()),
  applied_at: timestamp,
});
/** Operation in the log of a project. */
export type EditOperation = z.infer<typeof editOperation>;

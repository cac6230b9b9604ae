import { isSame } from '../decks/is-same.ts';
import { editBounds } from '../limits.ts';
import type { Edit, EditKind, IdentifiedEdit } from '../resources/edit-operation.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import { arrange, splitAt, withoutSpan } from './arrange-clips.ts';
import { isIn, shifted, splitAtSpan } from './clip-parts.ts';
import { copyOf, withClipboard, withPasted } from './clipboard.ts';
import { isEdited, isSameList, withClips, withLanes } from './edited-lanes.ts';
import { type FadeSide, withClipFade, withFade, withSpanFade } from './fades.ts';
import {
  noteCount,
  notesWithoutTime,
  withAddedNotes,
  withChangedNotes,
  withMovedNotes,
  withoutNotes,
  withSetNotes,
} from './lane-notes.ts';
import { withClipEnds, withMoved } from './move-clips.ts';
import { withoutTime } from './time-map.ts';
import { withDirection, withUsedWarps, withWarp } from './warp.ts';

type ParamsOf<K extends EditKind> = Extract<Edit, { operation: K }>['params'];
/** Returns a state after an operation of one kind; `newId` returns the ids of new clips. */
type Apply<K extends EditKind> = (
  state: ProjectState,
  params: ParamsOf<K>,
  newId: () => string,
) => ProjectState;

const applyOf: { readonly [K in EditKind]: Apply<K> } = {
  cut: (state, params, newId) =>
    withoutAudio(withClipboard(state, copyOf(state, params, params)), params, newId),
  copy: (state, params) => withClipboard(state, copyOf(state, params, params)),
  paste: (state, { to_ms }, newId) =>
    state.clipboard ? withPasted(state, state.clipboard, to_ms, newId) : state,
  delete: (state, params, newId) => withoutAudio(state, params, newId),
  duplicate: (state, params, newId) => {
    const copied = copyOf(state, params, params);
    return copied ? withPasted(state, copied, params.end_ms, newId) : state;
  },
  remove_time: (state, span, newId) => {
    const lengthMs = span.end_ms - span.start_ms;
    const closed = withClips(state, {}, (clips) =>
      withoutSpan(clips, span, newId).map((clip) =>
        clip.start_ms >= span.end_ms ? shifted(clip, -lengthMs) : clip,
      ),
    );
    const moved = withLanes(closed, (lane) => withMovedNotes(lane, (notes) => notesWithoutTime(notes, span)));
    return withoutTime(moved, span);
  },
  trim: (state, { clip_id, ...params }, newId) => {
    const { start_ms, end_ms } = params;
    if (clip_id !== undefined) return withClipEnds(state, clip_id, params, newId);
    return withClips(state, params, (clips) =>
      [
        { start_ms: 0, end_ms: start_ms },
        { start_ms: end_ms, end_ms: Number.POSITIVE_INFINITY },
      ].reduce((rest: Clip[], span) => withoutSpan(rest, span, newId), [...clips]),
    );
  },
  split: (state, params, newId) =>
    withClips(state, params, (clips) => splitAt(clips, params.start_ms, newId)),
  move: withMoved,
  fade_in: (state, params, newId) => faded(state, 'fade_in', params, newId),
  fade_out: (state, params, newId) => faded(state, 'fade_out', params, newId),
  volume: withVolume,
  pan: (state, { value, ...named }) =>
    withLanes(state, (lane) => (isEdited(named, lane.id) ? { ...lane, pan: value } : lane)),
  mute: (state, { value, ...named }) =>
    withLanes(state, (lane) => (isEdited(named, lane.id) ? { ...lane, is_muted: value === 1 } : lane)),
  solo: (state, { value, is_exclusive, ...named }) =>
    withLanes(state, (lane) => {
      if (isEdited(named, lane.id)) return { ...lane, is_soloed: value === 1 };
      return is_exclusive === true ? { ...lane, is_soloed: false } : lane;
    }),
  marker: (state, { start_ms, label }) => {
    const others = state.markers.filter((marker) => marker.start_ms !== start_ms);
    const set = label === '' ? [] : [{ start_ms, label }];
    const markers = [...others, ...set].toSorted((one, other) => one.start_ms - other.start_ms);
    return isSameList(markers, state.markers) ? state : { ...state, markers };
  },
  warp: withWarp,
  transpose: (state, { value, ...which }, newId) =>
    withClipValue(state, which, { name: 'semitones', value }, newId),
  reverse: withDirection,
  eq: (state, { low_db, mid_db, high_db, ...named }) =>
    withLanes(state, (lane) =>
      isEdited(named, lane.id)
        ? {
            ...lane,
            eq: {
              low_db: low_db ?? lane.eq.low_db,
              mid_db: mid_db ?? lane.eq.mid_db,
              high_db: high_db ?? lane.eq.high_db,
            },
          }
        : lane,
    ),
  compressor: (state, { value, ...named }) =>
    withLanes(state, (lane) => (isEdited(named, lane.id) ? { ...lane, compressor: value } : lane)),
  reverb_send: (state, { value, ...named }) =>
    withLanes(state, (lane) => (isEdited(named, lane.id) ? { ...lane, reverb_send: value } : lane)),
  reverb: (state, reverb) => (isSame(reverb, state.reverb) ? state : { ...state, reverb }),
  set_notes: withSetNotes,
  add_notes: withAddedNotes,
  change_notes: withChangedNotes,
  delete_notes: withoutNotes,
};

/**
 * Returns the state of a project after an operation, and the same object if it changes nothing: a lane or clip that
 * does not exist, a span without audio. The service and the page both apply it. It neither changes its arguments nor
 * throws. New clips have the id of the edit, a dot and a number.
 *
 * An operation after which the project had more clips or notes than `editBounds` allows changes nothing
 * ({@link exceededBy}).
 *
 * @spec Edit operations
 */
export function applyEdit(state: ProjectState, edit: IdentifiedEdit): ProjectState {
  const changed = applyUnlimited(state, edit);
  return exceededIn(changed) === null ? changed : state;
}

/** What a project has at most a number of. */
export type EditLimit = 'clips' | 'notes';

/** Returns which limit an operation would exceed, so that it changes nothing; null if none. */
export function exceededBy(state: ProjectState, edit: IdentifiedEdit): EditLimit | null {
  return exceededIn(applyUnlimited(state, edit));
}

function exceededIn(state: ProjectState): EditLimit | null {
  if (clipCount(state) > editBounds.clipsPerProject) return 'clips';
  return noteCount(state) > editBounds.notesPerProject ? 'notes' : null;
}

function applyUnlimited(state: ProjectState, { id, operation, params }: IdentifiedEdit): ProjectState {
  let count = 0;
  const newId = () => {
    count += 1;
    return `${id}.${count}`;
  };
  const changed = (applyOf[operation] as Apply<EditKind>)(state, params, newId);
  return changed === state ? state : withUsedWarps(changed);
}

/** Clips on the lanes or, if these are more, in the clipboard. */
function clipCount({ lanes, clipboard }: ProjectState): number {
  const count = (of: readonly { readonly clips: readonly Clip[] }[]) =>
    of.reduce((sum, { clips }) => sum + clips.length, 0);
  return Math.max(count(lanes), count(clipboard?.lanes ?? []));
}

function withoutAudio(state: ProjectState, params: ParamsOf<'delete'>, newId: () => string): ProjectState {
  return withClips(state, params, (clips) => withoutSpan(clips, params, newId));
}

function faded(
  state: ProjectState,
  side: FadeSide,
  { clip_id, clip_ids, curve, ...params }: ParamsOf<FadeSide>,
  newId: () => string,
): ProjectState {
  const lengthMs = params.end_ms - params.start_ms;
  if (clip_ids !== undefined) {
    const ids = new Set(clip_ids);
    const fadeOf = (clip: Clip) => withClipFade(clip, side, lengthMs, curve);
    return withClips(state, params, (clips) => clips.map((clip) => (ids.has(clip.id) ? fadeOf(clip) : clip)));
  }
  if (clip_id !== undefined) {
    return withClips(state, params, (clips) =>
      clips.map((clip) => (clip.id === clip_id ? withFade(clip, side, lengthMs, curve) : clip)),
    );
  }
  if (lengthMs === 0) return state;
  return withClips(state, params, (clips) => withSpanFade(clips, side, params, curve, newId));
}

function withVolume(
  state: ProjectState,
  { value, ...params }: ParamsOf<'volume'>,
  newId: () => string,
): ProjectState {
  const { clip_id, clip_ids, start_ms, end_ms, ...named } = params;
  const ids = clip_id === undefined ? clip_ids : [clip_id, ...(clip_ids ?? [])];
  if (!ids && start_ms === undefined) {
    return withLanes(state, (lane) => (isEdited(named, lane.id) ? { ...lane, volume: value } : lane));
  }
  const which = { ...named, start_ms, end_ms, clip_ids: ids };
  return withClipValue(state, which, { name: 'volume', value }, newId);
}

/** Sets a value of the named clips, or of what lies in a span of the lanes, where clips are split at its ends. */
function withClipValue(
  state: ProjectState,
  { clip_ids, start_ms, end_ms, ...named }: Omit<ParamsOf<'transpose'>, 'value'>,
  { name, value }: { readonly name: 'volume' | 'semitones'; readonly value: number },
  newId: () => string,
): ProjectState {
  const span = { start_ms: start_ms ?? 0, end_ms: end_ms ?? Number.POSITIVE_INFINITY };
  const ids = clip_ids && new Set(clip_ids);
  return withClips(state, named, (clips) =>
    arrange(
      clips.flatMap((clip) => {
        const isMeant = (ids?.has(clip.id) ?? true) && isIn(clip, span);
        if (!isMeant || clip[name] === value) return [clip];
        const { inside, outside } = splitAtSpan(clip, span, newId);
        return inside ? [...outside, { ...inside, [name]: value }] : [clip];
      }),
    ),
  );
}

import assert from 'node:assert/strict';
import { applyEdit } from '../projects/apply-edit.ts';
import { endOf } from '../projects/clip-parts.ts';
import { createProjectState } from '../projects/project-state.ts';
import type { Edit } from '../resources/edit-operation.ts';
import type { Clip, ProjectState } from '../resources/project.ts';

/** Vocals and drums of ten seconds, and a bass that is half a second shorter. */
export const song = createProjectState([
  { stem_type: 'bass', duration_ms: 9500 },
  { stem_type: 'drums', duration_ms: 10_000 },
  { stem_type: 'vocals', duration_ms: 10_000 },
]);

const counts = new WeakMap<ProjectState, number>();

/** Applies operations with the ids `a`, `b`, …, continued for a state that it has returned. */
export function after(state: ProjectState, ...edits: readonly Edit[]): ProjectState {
  const first = counts.get(state) ?? 0;
  const changed = edits.reduce(
    (before, edit, index) => applyEdit(before, { ...edit, id: String.fromCharCode(97 + first + index) }),
    state,
  );
  if (changed !== song) counts.set(changed, first + edits.length);
  return changed;
}

/** Returns clips as "id start–end from". */
export const text = (clips: readonly Clip[]) =>
  clips.map((clip) => `${clip.id} ${clip.start_ms}–${endOf(clip)} from ${clip.from_ms}`);
/** Returns a lane of a state. */
export const laneOf = (state: ProjectState, id: string) => {
  const lane = state.lanes.find((each) => each.id === id);
  assert.ok(lane, id);
  return lane;
};
/** Returns the clips of a lane as text, of the vocals by default. */
export const clipsOf = (state: ProjectState, lane = 'vocals') => text(laneOf(state, lane).clips);
/** Returns the lengths of both fades of each clip of a lane, in ms. */
export const fadesOf = (state: ProjectState, lane = 'vocals') =>
  laneOf(state, lane).clips.map(({ id, fade_in, fade_out }) => [id, fade_in.length_ms, fade_out.length_ms]);
/** Returns start and gain of each clip of a lane. */
export const volumesOf = (state: ProjectState, lane = 'vocals') =>
  laneOf(state, lane).clips.map(({ start_ms, volume }) => [start_ms, volume]);

/** Returns an operation that cuts a span. */
export const cut = (start_ms: number, end_ms: number, more: object = {}): Edit => ({
  operation: 'cut',
  params: { start_ms, end_ms, ...more },
});
/** Returns an operation that splits at a position. */
export const split = (start_ms: number, stem_type?: string): Edit => ({
  operation: 'split',
  params: stem_type === undefined ? { start_ms } : { start_ms, stem_type },
});
/** Returns an operation that moves clips. */
export const move = (clip_ids: string[], to_ms: number, stem_type?: string): Edit => ({
  operation: 'move',
  params: stem_type === undefined ? { clip_ids, to_ms } : { clip_ids, to_ms, stem_type },
});

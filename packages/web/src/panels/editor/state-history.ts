import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { LogStep } from './edit-queue.ts';

/** States of a project after each operation of its log. A state is computed once, so undo and redo need no replay. */
export class StateHistory {
  #ids: readonly string[];
  /** State after the first n operations; holes are computed when asked for. */
  readonly #states: (ProjectState | undefined)[];

  /** @param opened state after the first `position` operations of `steps` */
  constructor(opened: ProjectState, steps: readonly LogStep[], position: number) {
    this.#ids = steps.map(({ id }) => id);
    const { sources } = opened;
    const stems = sources.map(({ source, length_ms }) => ({ stem_type: source, duration_ms: length_ms }));
    this.#states = [createProjectState(stems)];
    this.#states[position] = opened;
  }

  /** Returns the state after the first `position` operations of a log. */
  at(steps: readonly LogStep[], position: number): ProjectState {
    let same = 0;
    while (same < steps.length && same < this.#ids.length && steps[same]?.id === this.#ids[same]) same++;
    this.#states.length = Math.min(this.#states.length, same + 1);
    this.#ids = steps.map(({ id }) => id);
    let at = Math.min(position, this.#states.length - 1);
    while (at > 0 && !this.#states[at]) at--;
    let state = this.#states[at] as ProjectState;
    for (; at < position; at++) {
      const edit = steps[at]?.edit;
      if (edit) state = applyEdit(state, edit);
      this.#states[at + 1] = state;
    }
    return state;
  }
}

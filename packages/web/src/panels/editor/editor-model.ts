import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { Lane, ProjectState } from '@stem-studio/contract/resources/project';
import { createStore } from 'zustand/vanilla';
import { TimeView } from '../../state/time-view.ts';
import type { EditorAction } from './editor-keys.ts';
import type { ProjectEditor } from './project-editor.ts';
import { noSelection, type Selection, selectSpan, stillSelected } from './selection.ts';
import { type SelectionEdit, selectionEdit } from './selection-edit.ts';
import { stepped } from './snap.ts';

/** Shortest part of the timeline that can be shown, in seconds: some forty samples. */
const SHORTEST_SECONDS = 0.001;
const ZOOM_STEP = 1.6;

/** What the lanes show: the project, with a drag in progress if there is one, and the selection. */
export interface EditorView {
  readonly state: ProjectState;
  readonly selection: Selection;
}

/** The open project with selection, cursor and zoom; the target of keys, buttons and the pointer. */
export class EditorModel {
  readonly editor: ProjectEditor;
  readonly view = new TimeView(SHORTEST_SECONDS);
  readonly shown;
  #marks: readonly number[] = [];
  #cancelDrag: (() => void) | null = null;
  #endMs = 1;

  constructor(editor: ProjectEditor) {
    this.editor = editor;
    this.shown = createStore<EditorView>(() => ({
      state: editor.shown.getState().state,
      selection: noSelection,
    }));
  }

  /** Positions that the cursor and clips snap to, in ms. */
  get marks(): readonly number[] {
    return this.#marks;
  }

  /** Sets what positions snap to, and the end of the timeline, in ms. */
  setTimeline(marks: readonly number[], endMs: number): void {
    this.#marks = marks;
    this.#endMs = endMs;
    this.view.setDuration(endMs / 1000);
  }

  /** Sets what ends the drag in progress without an edit; null after a drag. */
  setDrag(cancel: (() => void) | null): void {
    this.#cancelDrag = cancel;
  }

  /** Ends the drag in progress without an edit. Returns whether there was one. */
  cancelDrag(): boolean {
    const cancel = this.#cancelDrag;
    cancel?.();
    return cancel !== null;
  }

  get state(): ProjectState {
    return this.editor.shown.getState().state;
  }

  get selection(): Selection {
    return this.shown.getState().selection;
  }

  /** Shows the project after its log has changed. */
  refresh(): void {
    const { state, selection } = this.shown.getState();
    if (state === this.state) return;
    this.shown.setState({ state: this.state, selection: stillSelected(selection, this.state) });
  }

  select(selection: Selection): void {
    this.shown.setState({ selection });
  }

  /** Shows a state while a drag is in progress; null shows the project. */
  preview(state: ProjectState | null): void {
    this.shown.setState({ state: state ?? this.state });
  }

  edit(edit: Edit | null): boolean {
    return edit !== null && this.editor.edit(edit);
  }

  /** Performs an operation on the selection. */
  perform(operation: SelectionEdit): void {
    const { selection } = this;
    if (!this.edit(selectionEdit(operation, selection, this.state))) return;
    const { span } = selection;
    // The copy is selected, so that the key can be pressed again for the next one.
    if (operation === 'duplicate' && span) {
      this.select(selectSpan(span.endMs, 2 * span.endMs - span.startMs, selection.lanes));
    }
    if (operation === 'remove_time' && span)
      this.select(selectSpan(span.startMs, span.startMs, selection.lanes));
  }

  zoom(factor: number): void {
    this.view.zoomBy(factor, this.selection.cursorMs / 1000);
  }

  /** Performs the action of a key. */
  act(action: EditorAction): void {
    const operation = operationOf[action];
    if (operation) this.perform(operation);
    else if (action === 'undo') this.editor.undo();
    else if (action === 'redo') this.editor.redo();
    else if (action === 'zoom-in') this.zoom(ZOOM_STEP);
    else if (action === 'zoom-out') this.zoom(1 / ZOOM_STEP);
    else if (action === 'fit') this.view.fit();
    else if (action === 'mute') this.#switchLanes('mute', ({ is_muted }) => is_muted);
    else if (action === 'solo') this.#switchLanes('solo', ({ is_soloed }) => is_soloed);
    else if (action === 'marker') this.#toggleMarker();
    else this.#move(action);
  }

  #move(action: EditorAction): void {
    const { selection, marks } = this;
    const endMs = this.#endMs;
    const { lanes, span, cursorMs, anchorMs } = selection;
    const at = (ms: number) => this.select(selectSpan(ms, ms, lanes));
    // The end that moves is the one away from the anchor.
    const moving = span ? (span.startMs === anchorMs ? span.endMs : span.startMs) : cursorMs;
    const extend = (direction: 1 | -1) =>
      this.select(
        selectSpan(anchorMs, Math.min(endMs, stepped(moving, direction, marks)), this.#lanesOrAll()),
      );
    if (action === 'left' || action === 'right') {
      at(Math.min(endMs, stepped(cursorMs, action === 'left' ? -1 : 1, marks)));
    } else if (action === 'select-left') extend(-1);
    else if (action === 'select-right') extend(1);
    else if (action === 'start') at(0);
    else if (action === 'end') at(endMs);
    else if (action === 'select-all') this.select(selectSpan(0, endMs, this.#allLanes()));
    else if (action === 'select-lane' && lanes.length > 0) this.select(selectSpan(0, endMs, lanes));
    else if (action === 'lane-up' || action === 'lane-down') this.#chooseLane(action === 'lane-up' ? -1 : 1);
    else if (action === 'escape') {
      if (!this.cancelDrag()) this.select(selectSpan(cursorMs, cursorMs, []));
    }
  }

  #allLanes(): string[] {
    return this.state.lanes.map(({ id }) => id);
  }

  #lanesOrAll(): readonly string[] {
    const { lanes } = this.selection;
    return lanes.length > 0 ? lanes : this.#allLanes();
  }

  #chooseLane(direction: 1 | -1): void {
    const all = this.#allLanes();
    const at = all.indexOf(this.selection.lanes[0] ?? '');
    const lane = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + direction))];
    if (lane !== undefined) this.select({ ...this.selection, clips: [], lanes: [lane] });
  }

  /** Sets a switch of the selected lanes; resets it if all have it. */
  #switchLanes(operation: 'mute' | 'solo', isSet: (lane: Lane) => boolean): void {
    const lanes = this.state.lanes.filter(({ id }) => this.selection.lanes.includes(id));
    if (lanes.length === 0) return;
    const value = lanes.every(isSet) ? 0 : 1;
    this.edit({ operation, params: { lanes: lanes.map(({ id }) => id), value } });
  }

  #toggleMarker(): void {
    const { cursorMs } = this.selection;
    const { markers } = this.state;
    const isSet = markers.some(({ start_ms }) => start_ms === cursorMs);
    const label = isSet ? '' : `Marker ${markers.length + 1}`;
    this.edit({ operation: 'marker', params: { start_ms: cursorMs, label } });
  }
}

const operationOf: Partial<Record<EditorAction, SelectionEdit>> = {
  split: 'split',
  cut: 'cut',
  copy: 'copy',
  paste: 'paste',
  duplicate: 'duplicate',
  delete: 'delete',
  'remove-time': 'remove_time',
};

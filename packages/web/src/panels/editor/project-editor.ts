import type { Scope } from '@stem-studio/audio/base/scope';
import { Scope as OwnScope } from '@stem-studio/audio/base/scope';
import { editBounds } from '@stem-studio/contract/limits';
import { redoPosition, undoPosition } from '@stem-studio/contract/projects/edit-history';
import type { Edit, EditOperation, IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { OpenedProject, ProjectState } from '@stem-studio/contract/resources/project';
import { createStore } from 'zustand/vanilla';
import {
  type EditLog,
  nextEdits,
  type QueuedChange,
  rebased,
  stepOf,
  withAdded,
  withQueued,
} from './edit-queue.ts';
import { StateHistory } from './state-history.ts';

/** Pause before a request that did not reach the service is repeated, in ms. */
const RETRY_MS = 3000;

/** Reply to appended operations. */
export interface AddedEdits {
  readonly version: number;
  readonly position: number;
  readonly operations: readonly EditOperation[];
}

/** Access of a {@link ProjectEditor} to the service and the browser. */
export interface ProjectService {
  add(edits: readonly IdentifiedEdit[]): Promise<AddedEdits>;
  move(position: number, version: number): Promise<{ readonly version: number; readonly position: number }>;
  /** Fetches the project and its log. */
  open(): Promise<{ readonly project: OpenedProject; readonly operations: readonly EditOperation[] }>;
  /** Keeps the changes that are not sent yet, so that a reload loses none. */
  keep(queue: readonly QueuedChange[]): void;
  /** Whether an error means that the service was not reached, so that the request can be repeated. */
  isUnreachable(error: unknown): boolean;
  /** Reports changes that the service refused. */
  refuse(error: unknown): void;
  newId(): string;
}

/** What the editor shows of a project. */
export interface EditedProject {
  /** With all changes, sent or not. */
  readonly state: ProjectState;
  readonly log: EditLog;
  /** Number of changes that the service does not have yet. */
  readonly unsent: number;
  readonly isOffline: boolean;
}

/**
 * The log of a project on the page. Changes show at once, are sent in order, and are kept until the service has them;
 * changes of other windows are inserted before those that are not sent yet.
 */
export class ProjectEditor {
  readonly shown;
  readonly #service: ProjectService;
  #history: StateHistory;
  #log: EditLog;
  #version: number;
  #queue: readonly QueuedChange[];
  #isSending = false;
  readonly #scope = new OwnScope();

  constructor(
    { project, operations }: { project: OpenedProject; operations: readonly EditOperation[] },
    service: ProjectService,
    kept: readonly QueuedChange[],
    owner: Scope,
  ) {
    this.#service = service;
    this.#version = project.version;
    this.#log = { steps: operations.map(stepOf), position: project.position };
    this.#history = new StateHistory(project.state, this.#log.steps, project.position);
    this.#queue = rebased(kept, new Set(operations.map(({ id }) => id)));
    this.shown = createStore<EditedProject>(() => this.#shownNow(false));
    owner.own(() => this.#scope.dispose());
    void this.#send();
  }

  /** Applies an operation at once and sends it. Returns whether it changed anything. */
  edit(edit: Edit): boolean {
    const identified = { ...edit, id: this.#service.newId() };
    const before = this.shown.getState().state;
    this.#change([...this.#queue, { edit: identified }]);
    if (this.shown.getState().state === before) {
      this.#change(this.#queue.filter((change) => !('edit' in change) || change.edit !== identified));
      return false;
    }
    void this.#send();
    return true;
  }

  undo(): void {
    const { steps, position } = this.shown.getState().log;
    this.moveTo(undoPosition(steps, position));
  }

  redo(): void {
    const { steps, position } = this.shown.getState().log;
    this.moveTo(redoPosition(steps, position));
  }

  /** Undoes or redoes to a position in the log; null does nothing. */
  moveTo(position: number | null): void {
    if (position === null || position === this.shown.getState().log.position) return;
    this.#change([...this.#queue, { position }]);
    void this.#send();
  }

  /** Takes operations of this or another window from a push. */
  takeAdded(push: AddedEdits & { readonly dropped: number }): void {
    if (push.version <= this.#version) return;
    if (push.version > this.#version + 1) {
      void this.refetch();
      return;
    }
    this.#version = push.version;
    this.#log = withAdded(this.#log, push.operations, push);
    this.#change(rebased(this.#queue, new Set(push.operations.map(({ id }) => id))));
  }

  /** Takes an undo or redo of this or another window from a push or a reply. */
  takePosition({ version, position }: { readonly version: number; readonly position: number }): void {
    if (version <= this.#version) return;
    if (version > this.#version + 1) {
      void this.refetch();
      return;
    }
    this.#version = version;
    this.#log = { ...this.#log, position };
    this.#change(this.#queue);
  }

  /** Sends again what could not be sent. */
  retry(): void {
    void this.#send();
  }

  /** Fetches project and log anew, after events may have been missed. */
  async refetch(): Promise<void> {
    try {
      const { project, operations } = await this.#service.open();
      if (this.#scope.isDisposed || project.version < this.#version) return;
      const known = new Set(this.#log.steps.map(({ id }) => id));
      this.#version = project.version;
      this.#log = { steps: operations.map(stepOf), position: project.position };
      this.#history = new StateHistory(project.state, this.#log.steps, project.position);
      this.#change(
        rebased(this.#queue, new Set(operations.map(({ id }) => id).filter((id) => !known.has(id)))),
      );
    } catch (error) {
      if (!this.#service.isUnreachable(error)) this.#service.refuse(error);
    }
  }

  #shownNow(isOffline: boolean): EditedProject {
    const log = withQueued(this.#log, this.#queue);
    return {
      state: this.#history.at(log.steps, log.position),
      log,
      unsent: this.#queue.length,
      isOffline,
    };
  }

  #change(queue: readonly QueuedChange[], isOffline = this.shown.getState().isOffline): void {
    this.#queue = queue;
    this.#service.keep(queue);
    this.shown.setState(this.#shownNow(isOffline));
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#queue.length > 0 && !this.#scope.isDisposed) {
      const [head] = this.#queue;
      const edits = nextEdits(this.#queue, editBounds.operationsPerRequest);
      try {
        if (edits.length > 0) await this.#sendEdits(edits);
        else if (head && 'position' in head) await this.#sendPosition(head);
        if (this.shown.getState().isOffline) this.#change(this.#queue, false);
      } catch (error) {
        if (this.#service.isUnreachable(error)) {
          this.#change(this.#queue, true);
          this.#scope.after(RETRY_MS, () => this.retry());
          break;
        }
        this.#service.refuse(error);
        const sent = new Set(edits.map(({ id }) => id));
        this.#change(
          this.#queue.filter((change) => ('edit' in change ? !sent.has(change.edit.id) : false)),
          false,
        );
        await this.refetch();
      }
    }
    this.#isSending = false;
  }

  async #sendEdits(edits: readonly IdentifiedEdit[]): Promise<void> {
    const reply = await this.#service.add(edits);
    const { version, position, operations } = reply;
    // The push may have arrived before.
    if (version === this.#version + 1) {
      const kept = position - operations.length;
      this.takeAdded({ ...reply, dropped: Math.max(0, this.#log.steps.length - kept) });
    } else if (version > this.#version) await this.refetch();
    const sent = new Set(edits.map(({ id }) => id));
    this.#change(this.#queue.filter((change) => !('edit' in change && sent.has(change.edit.id))));
  }

  async #sendPosition(change: { readonly position: number }): Promise<void> {
    const reply = await this.#service.move(change.position, this.#version);
    this.#queue = this.#queue.filter((other) => other !== change);
    this.takePosition(reply);
    this.#change(this.#queue);
  }
}

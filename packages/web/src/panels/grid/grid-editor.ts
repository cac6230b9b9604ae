import { Scope } from '@stem-studio/audio/base/scope';
import type { BeatGrid, GridEdit } from '@stem-studio/contract/resources/beat-grid';
import { createStore } from 'zustand/vanilla';

/** Nudges within this time of each other are saved as one shift. */
const COALESCE_MS = 350;

/** Access to the grid on the page and on the server. */
export interface GridService {
  /** Returns the grid that the page shows, or null. */
  shown(): BeatGrid | null;
  send(edit: GridEdit): Promise<BeatGrid>;
  /** Shows the grid of a reply. */
  show(grid: BeatGrid): void;
  /** Reports why an edit failed. */
  fail(error: unknown): void;
}

/**
 * Sends edits one after another, each based on the version that the previous one returned. Nudges show at once
 * (`previewMs`) and are sent together after a short pause.
 */
export class GridEditor {
  readonly state = createStore(() => ({ previewMs: 0, isBusy: false }));
  readonly #service: GridService;
  #pendingMs = 0;
  readonly #scope = new Scope();
  #cancelTimer: () => void = () => undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(service: GridService) {
    this.#service = service;
  }

  /** Queues an edit behind the pending ones. Resolves when it is saved or has failed. */
  edit(edit: GridEdit): Promise<void> {
    this.flush();
    return this.#queue(edit, 0);
  }

  /** Shifts the grid by milliseconds, later if positive; saved after a short pause. */
  nudge(ms: number): void {
    this.#pendingMs += ms;
    this.preview(ms);
    this.#cancelTimer();
    this.#cancelTimer = this.#scope.after(COALESCE_MS, () => this.flush());
  }

  /** Moves the displayed grid by milliseconds, without an edit. */
  preview(ms: number): void {
    this.state.setState(({ previewMs }) => ({ previewMs: previewMs + ms }));
  }

  /** Sends the pending nudge at once and clears its timer. */
  flush(): void {
    this.#cancelTimer();
    const ms = this.#pendingMs;
    this.#pendingMs = 0;
    if (ms !== 0) void this.#queue({ edit: 'shift_ms', ms }, ms);
  }

  #queue(edit: GridEdit, previewedMs: number): Promise<void> {
    this.#waiting += 1;
    this.state.setState({ isBusy: true });
    this.#last = this.#last.then(() => this.#perform(edit, previewedMs));
    return this.#last;
  }

  async #perform(edit: GridEdit, previewedMs: number): Promise<void> {
    try {
      const version = this.#service.shown()?.grid_version;
      const grid = await this.#service.send(version === undefined ? edit : { ...edit, version });
      this.#service.show(grid);
    } catch (error) {
      this.#service.fail(error);
    }
    this.#waiting -= 1;
    this.preview(-previewedMs);
    this.state.setState({ isBusy: this.#waiting > 0 });
  }
}

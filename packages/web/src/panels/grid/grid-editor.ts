import { Scope } from '@stem-studio/audio/base/scope';
import type { BeatGrid, GridEdit } from '@stem-studio/contract/resources/beat-grid';
import { createStore } from 'zustand/vanilla';

/** Presses that come this soon after each other are one shift. */
const TOGETHER_MS = 350;

/** What a page needs of the service to edit a grid. */
export interface GridService {
  /** The grid as the page shows it, or null. */
  shown(): BeatGrid | null;
  send(edit: GridEdit): Promise<BeatGrid>;
  /** Takes the answer for what is shown. */
  show(grid: BeatGrid): void;
  /** Tells why an edit was not done. */
  fail(error: unknown): void;
}

/**
 * Sends the edits of one page one after another, each for the version that the one before made. Shifts by milliseconds
 * are seen at once (`previewMs`) and sent when the hand rests.
 */
export class GridEditor {
  readonly state = createStore(() => ({ previewMs: 0, isBusy: false }));
  readonly #service: GridService;
  #pendingMs = 0;
  readonly #scope = new Scope();
  #forgetTimer: () => void = () => undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(service: GridService) {
    this.#service = service;
  }

  /** Does an edit after those that were asked before. Settled when it is done or has failed. */
  edit(edit: GridEdit): Promise<void> {
    this.#flush();
    return this.#queue(edit, 0);
  }

  /** Shifts the grid by so many milliseconds, soon. */
  nudge(ms: number): void {
    this.#pendingMs += ms;
    this.preview(ms);
    this.#forgetTimer();
    this.#forgetTimer = this.#scope.after(TOGETHER_MS, () => this.#flush());
  }

  /** Shows the grid so much later than it is shown now, without editing it. */
  preview(ms: number): void {
    this.state.setState(({ previewMs }) => ({ previewMs: previewMs + ms }));
  }

  /** Sends what is pending at once: no timer is left. */
  rest(): void {
    this.#flush();
  }

  #flush(): void {
    this.#forgetTimer();
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

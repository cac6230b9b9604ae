import { createStore } from 'zustand/vanilla';

/** Visible part of a song, in seconds. */
export interface TimeWindow {
  readonly fromSeconds: number;
  readonly spanSeconds: number;
}

/** Shortest part that can be shown. */
const SHORTEST_SPAN_SECONDS = 2;
/** Factor of a zoom step. */
export const ZOOM_STEP = 1.6;
/** Part of the window at which it turns to the next page, and where the playhead is then. */
const PAGE_AT = 0.95;
const PAGE_TO = 0.05;

function within(
  fromSeconds: number,
  spanSeconds: number,
  durationSeconds: number,
  shortestSeconds = SHORTEST_SPAN_SECONDS,
): TimeWindow {
  const span = Math.min(durationSeconds, Math.max(Math.min(shortestSeconds, durationSeconds), spanSeconds));
  return { fromSeconds: Math.min(durationSeconds - span, Math.max(0, fromSeconds)), spanSeconds: span };
}

/** Returns a window zoomed by a factor (above 1: closer), in which `atSeconds` keeps its position. */
export function zoomedWindow(
  { fromSeconds, spanSeconds }: TimeWindow,
  factor: number,
  atSeconds: number,
  durationSeconds: number,
  shortestSeconds = SHORTEST_SPAN_SECONDS,
): TimeWindow {
  const { spanSeconds: span } = within(0, spanSeconds / factor, durationSeconds, shortestSeconds);
  const part = spanSeconds > 0 ? (atSeconds - fromSeconds) / spanSeconds : 0;
  return within(atSeconds - part * span, span, durationSeconds, shortestSeconds);
}

/**
 * Returns the window that follows the playhead: the next page where playback reaches the end of the window, and the page
 * of the playhead after a jump out of it. A window that the user has moved away from the playhead stays.
 *
 * @param before position in the previous frame
 */
export function followedWindow(
  window: TimeWindow,
  positionSeconds: number,
  before: number,
  durationSeconds: number,
): TimeWindow {
  const { fromSeconds, spanSeconds } = window;
  const partOf = (seconds: number) => (seconds - fromSeconds) / spanSeconds;
  const isJump = Math.abs(positionSeconds - before) > 1;
  const wasInside = partOf(before) >= 0 && partOf(before) <= 1;
  const part = partOf(positionSeconds);
  const isPast = part > PAGE_AT && fromSeconds + spanSeconds < durationSeconds;
  const leaves = positionSeconds !== before && wasInside && !isJump && isPast;
  if (!leaves && !(isJump && (part < 0 || part > 1))) return window;
  return within(positionSeconds - PAGE_TO * spanSeconds, spanSeconds, durationSeconds);
}

/** Zoom and scroll position of charts over a song; starts with the whole song. */
export class TimeView {
  readonly state = createStore<{ readonly window: TimeWindow; readonly isWhole: boolean }>(() => ({
    window: { fromSeconds: 0, spanSeconds: 0 },
    isWhole: true,
  }));
  #durationSeconds = 0;
  readonly #shortestSeconds: number;

  /** @param shortestSeconds shortest part that can be shown */
  constructor(shortestSeconds = SHORTEST_SPAN_SECONDS) {
    this.#shortestSeconds = shortestSeconds;
  }

  /** Sets the length of the song. */
  setDuration(seconds: number): void {
    if (seconds === this.#durationSeconds) return;
    this.#durationSeconds = seconds;
    const { window, isWhole } = this.state.getState();
    this.#show(isWhole ? { fromSeconds: 0, spanSeconds: seconds } : window);
  }

  get window(): TimeWindow {
    return this.state.getState().window;
  }

  get durationSeconds(): number {
    return this.#durationSeconds;
  }

  /** Zooms by a factor (above 1: closer) around a position in seconds. */
  zoomBy(factor: number, atSeconds: number): void {
    this.#show(zoomedWindow(this.window, factor, atSeconds, this.#durationSeconds, this.#shortestSeconds));
  }

  /** Shows the whole song. */
  fit(): void {
    this.#show({ fromSeconds: 0, spanSeconds: this.#durationSeconds });
  }

  /** Scrolls so that the window begins at a position in seconds. */
  scrollTo(fromSeconds: number): void {
    this.#show({ ...this.window, fromSeconds });
  }

  /** Follows the playhead; `before` is its position in the previous frame. */
  follow(positionSeconds: number, before: number): void {
    if (this.state.getState().isWhole) return;
    const next = followedWindow(this.window, positionSeconds, before, this.#durationSeconds);
    if (next !== this.window) this.#show(next);
  }

  #show({ fromSeconds, spanSeconds }: TimeWindow): void {
    const window = within(fromSeconds, spanSeconds, this.#durationSeconds, this.#shortestSeconds);
    this.state.setState({ window, isWhole: window.spanSeconds >= this.#durationSeconds });
  }
}

/** Any event target. */
type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** The part of an AudioNode that a scope needs. */
interface Disconnectable {
  disconnect(): void;
}

/**
 * Owner of resources that have to be released: listeners, timers, audio nodes, other scopes. Resources created
 * through a scope are released with it, in reverse order. `size` is their number, so that a test can find leaks.
 */
export class Scope {
  readonly #held = new Set<() => void>();
  readonly #abort = new AbortController();

  /** Number of resources held. */
  get size(): number {
    return this.#held.size;
  }

  /** Whether the scope is disposed. A disposed scope releases any further resource at once. */
  get isDisposed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Signal that is aborted when the scope is disposed, for requests. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Holds `release` until the scope is disposed or the returned function is called. It runs once in either case. */
  own(release: () => void): () => void {
    const once = () => {
      if (this.#held.delete(once)) release();
    };
    this.#held.add(once);
    if (this.isDisposed) once();
    return once;
  }

  /** Adds a listener to a target. The returned function removes it earlier. */
  listen(
    target: Target,
    type: string,
    listener: (event: Event) => void,
    options?: AddEventListenerOptions,
  ): () => void {
    target.addEventListener(type, listener, options);
    return this.own(() => target.removeEventListener(type, listener, options));
  }

  /**
   * Runs `due` once after `ms` milliseconds, unless the scope is disposed or the returned function is called before.
   */
  after(ms: number, due: () => void): () => void {
    const timer = setTimeout(() => {
      release();
      due();
    }, ms);
    const release = this.own(() => clearTimeout(timer));
    return release;
  }

  /** Runs `due` every `ms` milliseconds. */
  every(ms: number, due: () => void): () => void {
    const timer = setInterval(due, ms);
    return this.own(() => clearInterval(timer));
  }

  /** Runs `draw` before every repaint, with the browser's time in milliseconds. */
  onAnimationFrame(draw: (timeMs: number) => void): () => void {
    let request = 0;
    const next = (timeMs: number) => {
      request = requestAnimationFrame(next);
      draw(timeMs);
    };
    request = requestAnimationFrame(next);
    return this.own(() => cancelAnimationFrame(request));
  }

  /** Calls `changed` when the size of an element changes. */
  onResize(element: Element, changed: () => void): () => void {
    const observer = new ResizeObserver(changed);
    observer.observe(element);
    return this.own(() => observer.disconnect());
  }

  /** Holds an audio node, which is disconnected on disposal. */
  node<N extends Disconnectable>(node: N): N {
    this.own(() => node.disconnect());
    return node;
  }

  /** Creates a scope that is disposed with this one, or earlier. */
  child(): Scope {
    const child = new Scope();
    const release = this.own(() => child.dispose());
    child.own(release);
    return child;
  }

  /** Releases everything, newest first. May be called again. */
  dispose(): void {
    if (this.isDisposed) return;
    this.#abort.abort();
    for (const release of [...this.#held].reverse()) release();
  }
}

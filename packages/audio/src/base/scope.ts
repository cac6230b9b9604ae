/** Anything that sends events. */
type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** The part of an AudioNode that letting go needs. */
interface Disconnectable {
  disconnect(): void;
}

/**
 * The one owner of whatever has to be let go: listeners, timers, audio nodes, other scopes. What is scheduled through a
 * scope ends with it, in the reverse order; `size` is what it still holds, so that a leak can be tested for.
 */
export class Scope {
  readonly #held = new Set<() => void>();
  readonly #abort = new AbortController();

  /** How many things are held. */
  get size(): number {
    return this.#held.size;
  }

  /** Whether it has ended; a scope that has ended lets go at once of what it is given. */
  get isDisposed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Aborted when the scope ends: for requests that nobody waits for any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Holds `release` until the scope ends, or until the returned function is called: it runs once in either case. */
  own(release: () => void): () => void {
    const once = () => {
      if (this.#held.delete(once)) release();
    };
    this.#held.add(once);
    if (this.isDisposed) once();
    return once;
  }

  /** Listens to a target; the returned function stops it earlier. */
  listen(
    target: Target,
    type: string,
    heard: (event: Event) => void,
    options?: AddEventListenerOptions,
  ): () => void {
    target.addEventListener(type, heard, options);
    return this.own(() => target.removeEventListener(type, heard, options));
  }

  /** Runs `due` once after `ms` milliseconds, unless the scope ends or the returned function is called before. */
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

  /** Runs `draw` before every picture of the screen, with the time in milliseconds that the browser gives it. */
  onAnimationFrame(draw: (timeMs: number) => void): () => void {
    let request = 0;
    const next = (timeMs: number) => {
      request = requestAnimationFrame(next);
      draw(timeMs);
    };
    request = requestAnimationFrame(next);
    return this.own(() => cancelAnimationFrame(request));
  }

  /** Tells when an element's size changes. */
  onResize(element: Element, changed: () => void): () => void {
    const observer = new ResizeObserver(changed);
    observer.observe(element);
    return this.own(() => observer.disconnect());
  }

  /** Holds an audio node, which is disconnected in the end. */
  node<N extends Disconnectable>(node: N): N {
    this.own(() => node.disconnect());
    return node;
  }

  /** A scope that ends with this one, or earlier. */
  child(): Scope {
    const child = new Scope();
    const release = this.own(() => child.dispose());
    child.own(release);
    return child;
  }

  /** Lets go of everything, newest first. Harmless when called again. */
  dispose(): void {
    if (this.isDisposed) return;
    this.#abort.abort();
    for (const release of [...this.#held].reverse()) release();
  }
}

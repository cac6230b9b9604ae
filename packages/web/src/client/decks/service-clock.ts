/** The service's clock, as far as this window knows it. */
export interface ServiceClock {
  /** Milliseconds since 1970 by the service's clock; by this machine's own until the service has said its. */
  now(): number;
  /**
   * Sets it by an answer of the service: asked and answered at moments of this machine, said in between. A slow answer
   * says little: it counts only where there was none before.
   */
  set(serviceMs: number, askedMs: number, answeredMs: number): void;
}

/** More than this is no network's doing. */
const slowWireMs = 500;

/** @param own milliseconds since 1970 by this machine's clock */
export function createServiceClock(own: () => number): ServiceClock {
  let aheadMs = 0;
  let isSet = false;
  return {
    now: () => own() + aheadMs,
    set(serviceMs, askedMs, answeredMs) {
      const isSlow = answeredMs - askedMs > slowWireMs;
      if (isSlow && isSet) return;
      isSet = true;
      // What took long was waiting for something else than the wire.
      const wireMs = isSlow ? slowWireMs : answeredMs - askedMs;
      aheadMs = serviceMs - (answeredMs - wireMs / 2);
    },
  };
}

/** Estimate of the service's clock. */
export interface ServiceClock {
  /**
   * Returns milliseconds since 1970 by the service's clock; by this machine's clock until the first synchronisation.
   */
  now(): number;
  /**
   * Synchronises the clock by a reply of the service. A slow reply is inaccurate and is used only for the first
   * synchronisation.
   *
   * @param serviceMs time of the service's clock in the reply
   * @param askedMs time of the request by this machine's clock
   * @param answeredMs time of the reply by this machine's clock
   */
  set(serviceMs: number, askedMs: number, answeredMs: number): void;
}

/** Round-trip time above which the delay is not attributed to the network. */
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
      // The rest of a long delay was not network latency.
      const wireMs = isSlow ? slowWireMs : answeredMs - askedMs;
      aheadMs = serviceMs - (answeredMs - wireMs / 2);
    },
  };
}

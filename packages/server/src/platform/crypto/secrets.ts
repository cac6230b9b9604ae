/** What needs the service's secret key. */
export interface Secrets {
  /** `text` with a signature (HMAC-SHA-256) that only holds for this `purpose`. */
  sign(purpose: string, text: string): string;
  /** The text behind a signature of {@link sign}; null when it does not hold. Takes the same time either way. */
  verify(purpose: string, signed: string): string | null;
  /** A key of 32 bytes for one purpose, always the same for the same service. */
  derive(purpose: string): Buffer;
}

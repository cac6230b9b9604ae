/** What went wrong at the cloud service. */
export type CloudProblem =
  /** It does not accept the key. */
  | 'key'
  /** Too few minutes are left. */
  | 'quota'
  /** It says no to what it was asked: the same again would not help. */
  | 'refused'
  /** The request was taken before under this idempotency key, and what came of it was not told again. */
  | 'asked before'
  /** What was sent to it lies there no longer. */
  | 'gone'
  /** It wants to be asked less often. */
  | 'busy'
  /** It cannot be reached, is too slow, or fails. */
  | 'away'
  /** It answered in a form that we do not know. */
  | 'malformed';

/** An answer of the cloud service that is none, as a sentence for people. Never holds the key. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly problem: CloudProblem;
  /** How long it wants to be left alone; null where it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: CloudProblem, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same may work in a moment. */
  get isPassing(): boolean {
    return this.problem === 'busy' || this.problem === 'away' || this.problem === 'malformed';
  }
}

/** A sentence of the service's own as it may be repeated: one line without what a terminal would obey, not too long. */
export function wordsOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

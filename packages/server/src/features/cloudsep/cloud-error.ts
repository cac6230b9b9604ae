/** Kinds of cloud service errors. */
export type CloudProblem =
  /** The key is not accepted. */
  | 'key'
  /** The account has too few minutes left. */
  | 'quota'
  /** The request is rejected; repeating it would not help. */
  | 'refused'
  /** The request was already accepted under this idempotency key, and its result is not repeated. */
  | 'asked before'
  /** The uploaded file has expired. */
  | 'gone'
  /** Too many requests. */
  | 'busy'
  /** The service is unreachable, too slow, or failing. */
  | 'away'
  /** The reply has an unknown format. */
  | 'malformed';

/** Error reply of the cloud service with a message for the user. Never contains the key. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly problem: CloudProblem;
  /** Seconds to wait before the next request; null if not specified. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: CloudProblem, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether a retry may soon succeed. */
  get isPassing(): boolean {
    return this.problem === 'busy' || this.problem === 'away' || this.problem === 'malformed';
  }
}

/** Sanitises a message of the service for display: one line, no terminal control characters, limited length. */
export function toDisplayText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

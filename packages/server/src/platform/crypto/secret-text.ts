import { inspect } from 'node:util';

const hidden = '[secret]';

/**
 * A secret in clear: a token, a key of somebody's at another service. It turns up nowhere by accident: as text, in JSON,
 * in a log and in an inspected object it is `[secret]`; only {@link SecretText.reveal} gives it.
 */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret itself, for the one request or cipher that needs it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

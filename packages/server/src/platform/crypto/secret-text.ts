import { inspect } from 'node:util';

const hidden = '[secret]';

/**
 * Secret in plain text, such as a token or a key of a user at another service. As text, in JSON, in logs and in
 * inspected objects it appears as `[secret]`; only {@link SecretText.reveal} returns it.
 */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the secret, for the one request or cipher that needs it. */
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

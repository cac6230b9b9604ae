import type { Logger } from 'pino';

/**
 * What the code of the service works with: it is passed to functions and never imported as a value. Each module of the
 * platform adds what it provides by declaration merging, so that this file imports none of them; `createContext` of
 * `context.ts` builds it.
 */
export interface Context {
  readonly log: Logger;
}

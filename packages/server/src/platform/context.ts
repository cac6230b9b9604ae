import type { Logger } from 'pino';

/**
 * Dependencies of the service's code, passed to functions and never imported as a value. Each module of the platform
 * adds its part by declaration merging, so that this file imports none of them. Created by `createContext` of
 * `context.ts`.
 */
export interface Context {
  readonly log: Logger;
}

import { createTurns } from '../../../platform/process/turns.ts';

/**
 * Turns at what this machine itself does for separations elsewhere, encoding and decoding: one at a time, since these
 * separations take none of the places of those that work here.
 */
export const takeOwnWork = createTurns(1);

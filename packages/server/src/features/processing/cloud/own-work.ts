import { createTurns } from '../../../platform/process/turns.ts';

/**
 * Mutex for the local encoding and decoding of cloud separations. One runs at a time, since these separations do not
 * count towards the limit of local ones.
 */
export const takeOwnWork = createTurns(1);

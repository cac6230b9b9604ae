import { createSemaphore } from '../../../platform/process/semaphore.ts';

/**
 * Mutex for the local encoding and decoding of cloud separations. One runs at a time, since these separations do not
 * count towards the limit of local ones.
 */
export const withLocalWorkPermit = createSemaphore(1);

import type { Feature } from './platform/feature.ts';

/**
 * Every feature, in the order in which data walks. A feature imports only features to its left, only through their
 * `index.ts`.
 */
export const features: readonly Feature[] = [];

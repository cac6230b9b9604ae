import type { Feature } from '../../platform/feature.ts';
import { cratesPart } from './account-part.ts';
import { crateRoutes } from './crates.routes.ts';

/** Crates: named lists of tracks, and searches that are kept under a name. */
export const crates: Feature = { name: 'crates', routes: crateRoutes, accountParts: [cratesPart] };

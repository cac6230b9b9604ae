import type { Feature } from '../../platform/feature.ts';
import { cuesPart } from './account-part.ts';
import { cueRoutes } from './cues.routes.ts';
import { cuesWorker } from './cues.worker.ts';

export { listShownCues, requestCuesAfter, requestCuesOnGrid } from './cues.service.ts';

/** Places in a track to jump to: found by its analysis, set and changed by its owner. */
export const cues: Feature = {
  name: 'cues',
  routes: cueRoutes,
  workers: [cuesWorker],
  accountParts: [cuesPart],
};

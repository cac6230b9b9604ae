import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Feature } from '../../platform/feature.ts';
import { analysisParts } from './account-parts.ts';
import { analysisRoutes } from './analysis.routes.ts';
import { analysisWorker } from './analysis.worker.ts';
import { beatGridRoutes } from './beat-grid.routes.ts';

export { requestAnalysis } from './analysis.service.ts';
export { hasGrid } from './analysis.store.ts';
export { findNewestAnalysis, findNewestGrid, type TrackGrid } from './current-grid.ts';
export { followTempoEdit } from './follow-grid.service.ts';
export { findLoudness } from './merged-analysis.store.ts';

function routes(app: FastifyInstance, context: Context): void {
  analysisRoutes(app, context);
  beatGridRoutes(app, context);
}

/** Feature of analyses of tracks and their beat grids. */
export const analysis: Feature = {
  name: 'analysis',
  routes,
  workers: [analysisWorker],
  accountParts: analysisParts,
};

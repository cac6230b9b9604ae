import type { Feature } from '../../platform/feature.ts';
import { analysisRoutes } from './analysis.routes.ts';
import { analysisWorker } from './analysis.worker.ts';

export { requestAnalysis } from './analysis.service.ts';
export {
  findAnalysisOfJob,
  findNewestAnalysis,
  findNewestGrid,
  hasGrid,
  type TrackGrid,
} from './analysis.store.ts';
export { analyzeFile } from './analyze-file.ts';

/** What a track sounds like, in numbers. */
export const analysis: Feature = { name: 'analysis', routes: analysisRoutes, workers: [analysisWorker] };

import { featureName } from '@stem-studio/contract/resources/analysis';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Arguments of an analysis job. */
export const analysisArgs = z.object({ features: z.array(featureName).min(1) });
/** Arguments of an analysis job. */
export type AnalysisArgs = z.infer<typeof analysisArgs>;
/** Stored form of the arguments of an analysis job. */
export const storedAnalysisArgs = storedJson('arguments of a job of the type analysis', analysisArgs);

import { featureName } from '@stem-studio/contract/resources/analysis';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** What an analysis job is asked. */
export const analysisArgs = z.object({ features: z.array(featureName).min(1) });
/** What an analysis job is asked. */
export type AnalysisArgs = z.infer<typeof analysisArgs>;
/** How they are stored in a job. */
export const storedAnalysisArgs = storedJson('arguments of a job of the type analysis', analysisArgs);

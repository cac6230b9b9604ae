import { featureName } from '@stem-studio/contract/resources/analysis';
import { z } from 'zod';

/** What an analysis job is asked. */
export const analysisArgs = z.object({ features: z.array(featureName).min(1) });
/** What an analysis job is asked. */
export type AnalysisArgs = z.infer<typeof analysisArgs>;

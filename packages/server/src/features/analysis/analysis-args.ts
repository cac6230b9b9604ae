import { featureName } from '@stem-studio/contract/resources/analysis';
import { z } from 'zod';

/** Arguments of an analysis job. */
export const analysisArgs = z.object({ features: z.array(featureName).min(1) });
/** Arguments of an analysis job. */
export type AnalysisArgs = z.infer<typeof analysisArgs>;

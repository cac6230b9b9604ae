import type { BatchResult } from '@stem-studio/contract/resources/batch-request';
import { ServiceError } from '../errors.ts';

/**
 * Requests a job for each of several tracks, one after the other. A track that is refused is listed with its error and
 * does not affect the others.
 *
 * @throws the error of the first track if all are refused, and any error that is not a refusal
 */
export async function requestForEach(
  trackIds: readonly string[],
  request: (trackId: string) => Promise<{ readonly job: { readonly id: string } }>,
): Promise<BatchResult> {
  const result: BatchResult = { accepted: [], refused: [] };
  let first: ServiceError | null = null;
  for (const track_id of trackIds) {
    try {
      result.accepted.push({ track_id, job_id: (await request(track_id)).job.id });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      first ??= error;
      result.refused.push({ track_id, error: error.message, code: error.code });
    }
  }
  if (first && result.accepted.length === 0) throw first;
  return result;
}

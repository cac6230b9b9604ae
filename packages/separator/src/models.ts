import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { modelRefusal } from '@stem-studio/contract/separator';
import type { Backend } from './backends/backend.ts';
import { createSpectralBackend } from './backends/spectral.ts';
import { SeparationError } from './separation-error.ts';

/**
 * The backend that serves a model, ready to separate. A model without one is refused with the rule and what is
 * coming; it is never served by another model's method.
 *
 * @throws SeparationError `model_not_available`
 */
export async function openBackend(model: SeparationModelName): Promise<Backend> {
  const refusal = modelRefusal(model);
  if (refusal !== null) throw new SeparationError('model_not_available', refusal);
  const backend = createSpectralBackend();
  await backend.load(model);
  return backend;
}

import type { SeparatorRequest } from '@stem-studio/contract/separator';
import { modelRefusal } from '@stem-studio/contract/separator';
import type { Backend } from './backends/backend.ts';
import { openOnnxBackend } from './backends/onnx.ts';
import { createSpectralBackend } from './backends/spectral.ts';
import { isSpectralModel } from './backends/spectral-recipes.ts';
import { takeMachineTurn } from './machine-turn.ts';
import { SeparationError } from './separation-error.ts';

/** So often a process that waits says that it is alive. */
const waitingTellMs = 20_000;

/** A backend that is ready, and how to leave it. */
export interface OpenBackend {
  readonly backend: Backend;
  /** Closes the backend and gives back the turn of the machine. */
  close(): Promise<void>;
}

/**
 * The backend that serves a request: the networks it names, when it is their turn on this machine, or a method without
 * weights. A model that has neither is refused with the rule and what is coming; it is never served by another model's
 * method.
 *
 * @param onWait told, again and again, while another process of this machine uses its networks
 * @throws SeparationError `model_not_available`
 */
export async function openBackend(
  { model, weights }: SeparatorRequest,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<OpenBackend> {
  if (weights === undefined) {
    const refusal = modelRefusal(model);
    if (refusal !== null || !isSpectralModel(model))
      throw new SeparationError('model_not_available', refusal ?? `${model} needs a network of its own`);
    const backend = createSpectralBackend(model);
    return { backend, close: () => backend.close() };
  }
  let telling: NodeJS.Timeout | undefined;
  const wait = (): void => {
    onWait();
    telling ??= setInterval(onWait, waitingTellMs);
  };
  const release = await takeMachineTurn(weights.queue, { signal, onWait: wait }).finally(() =>
    clearInterval(telling),
  );
  const backend = await openOnnxBackend(weights);
  return {
    backend,
    async close() {
      await backend.close();
      await release();
    },
  };
}

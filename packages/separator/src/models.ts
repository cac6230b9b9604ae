import type { SeparatorRequest } from '@stem-studio/contract/separator';
import { modelRefusal } from '@stem-studio/contract/separator';
import type { Backend } from './backends/backend.ts';
import { openOnnxBackend } from './backends/onnx.ts';
import { createSpectralBackend } from './backends/spectral.ts';
import { isSpectralModel } from './backends/spectral-recipes.ts';
import { type MachineTurn, takeMachineTurn } from './machine-turn.ts';
import { SeparationError } from './separation-error.ts';

/** So often a process that waits says that it is alive. */
const waitingTellMs = 20_000;

/** The backend of one request after the other: what is loaded for one may serve the next. */
export interface Backends {
  /**
   * The backend that serves a request: the networks it names, when it is their turn on this machine, or a method
   * without weights. A model that has neither is refused with the rule and what is coming; it is never served by
   * another model's method.
   *
   * @param onWait told, again and again, while another process of this machine uses its networks
   * @throws SeparationError `model_not_available`
   */
  open(
    request: SeparatorRequest,
    waiting: { readonly signal: AbortSignal; readonly onWait: () => void },
  ): Promise<Backend>;
  /** Keeps what is loaded for the next request; false where that cannot be, and it is to be closed. */
  rest(): boolean;
  /** Has `tell` called when another process wants the turn that this one keeps while it rests; null: no more. */
  onAsked(tell: (() => void) | null): void;
  /** Whether networks are loaded. */
  hasNetworks(): boolean;
  /** Closes the backend and gives back the turn of the machine. */
  close(): Promise<void>;
}

interface OpenBackend {
  /** What it was opened for. */
  readonly purpose: string;
  readonly backend: Backend;
  /** Of networks only. */
  readonly turn: MachineTurn | null;
}

/** No backend yet; one at a time is kept. */
export function keepBackends(): Backends {
  let open: OpenBackend | null = null;
  let usesNetworks = false;
  const close = async (): Promise<void> => {
    const { backend, turn } = open ?? {};
    open = null;
    await backend?.close();
    await turn?.release();
    usesNetworks = false;
  };
  return {
    async open(request, waiting) {
      const purpose = JSON.stringify([request.model, request.weights ?? null]);
      if (open?.purpose === purpose) return open.backend;
      await close();
      usesNetworks = request.weights !== undefined;
      open = { purpose, ...(await openBackend(request, waiting)) };
      return open.backend;
    },
    rest: () => open?.backend.rest() ?? false,
    onAsked: (tell) => open?.turn?.onAsked(tell),
    hasNetworks: () => usesNetworks,
    close,
  };
}

async function openBackend(
  { model, weights }: SeparatorRequest,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<Omit<OpenBackend, 'purpose'>> {
  if (weights === undefined) {
    const refusal = modelRefusal(model);
    if (refusal !== null || !isSpectralModel(model))
      throw new SeparationError('model_not_available', refusal ?? `${model} needs a network of its own`);
    return { backend: createSpectralBackend(model), turn: null };
  }
  let telling: NodeJS.Timeout | undefined;
  const wait = (): void => {
    onWait();
    telling ??= setInterval(onWait, waitingTellMs);
  };
  const turn = await takeMachineTurn(weights.queue, { signal, onWait: wait }).finally(() =>
    clearInterval(telling),
  );
  return { backend: await openOnnxBackend(weights), turn };
}

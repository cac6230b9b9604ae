import type { SeparatorRequest } from '@stem-studio/contract/separator';
import { modelRefusal } from '@stem-studio/contract/separator';
import type { Backend } from './backends/backend.ts';
import { openOnnxBackend } from './backends/onnx.ts';
import { createSpectralBackend } from './backends/spectral.ts';
import { isSpectralModel } from './backends/spectral-recipes.ts';
import { acquireMachineLock, type MachineLock } from './machine-lock.ts';
import { SeparationError } from './separation-error.ts';

/** Interval between keep-alive messages of a waiting process, in ms. */
const waitReportIntervalMs = 20_000;

/** Keeps the backend of the last request, so that the next one can reuse what it loaded. */
export interface Backends {
  /**
   * Returns the backend for a request: its networks, once this process holds the machine's lock, or a method without
   * weights. A model is never replaced by another one.
   *
   * @param onWait called at once and every 20 s while another process of this machine runs networks
   * @throws SeparationError `model_not_available` if the model has neither networks nor a built-in method
   */
  open(
    request: SeparatorRequest,
    waiting: { readonly signal: AbortSignal; readonly onWait: () => void },
  ): Promise<Backend>;
  /** Prepares the loaded backend for the next request. Returns false if it cannot be reused and must be closed. */
  rest(): boolean;
  /** Calls `listener` when another process waits for the lock that this one holds; null removes it. */
  onRequested(listener: (() => void) | null): void;
  /** Whether networks are loaded. */
  hasNetworks(): boolean;
  /** Closes the backend and releases the machine's lock. */
  close(): Promise<void>;
}

interface OpenBackend {
  /** Model and weights for which it was opened. */
  readonly purpose: string;
  readonly backend: Backend;
  /** Held for networks only. */
  readonly lock: MachineLock | null;
}

/** Creates an empty cache for one backend. */
export function createBackendCache(): Backends {
  let open: OpenBackend | null = null;
  let usesNetworks = false;
  const close = async (): Promise<void> => {
    const { backend, lock } = open ?? {};
    open = null;
    await backend?.close();
    await lock?.release();
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
    onRequested: (listener) => open?.lock?.onRequested(listener),
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
    return { backend: createSpectralBackend(model), lock: null };
  }
  let reports: NodeJS.Timeout | undefined;
  const wait = (): void => {
    onWait();
    reports ??= setInterval(onWait, waitReportIntervalMs);
  };
  const lock = await acquireMachineLock(weights.queue, { signal, onWait: wait }).finally(() =>
    clearInterval(reports),
  );
  return { backend: await openOnnxBackend(weights), lock };
}

import { join } from 'node:path';
import { type SeparationModelName, separationModels } from '@stem-studio/contract/separation-models';
import type {
  InstalledModel,
  NetworkAnswer,
  SeparatorWeights,
} from '@stem-studio/contract/separation-weights';
import { modelRefusal } from '@stem-studio/contract/separator';
import type { Config } from '../../../platform/config.ts';
import { messageOf } from '../../../platform/errors.ts';
import { askNetwork } from './ask-network.ts';
import { findInstalledModel } from './installed-models.ts';

/** What serves a model now. */
export type BackendChoice =
  /** Networks of the operator's own. */
  | { readonly backend: 'onnx'; readonly weights: SeparatorWeights; readonly note: string }
  /** The built-in methods; `note` says why not the networks, where there are some. */
  | { readonly backend: 'spectral'; readonly note: string | null }
  /** Nothing: `note` says what is wrong. */
  | { readonly backend: null; readonly note: string };

/** What a separation needs beside what the self-test had: longer sound, a longer process. */
const memoryMargin = 1.1;

type Settings = Pick<Config, 'modelsDir' | 'separationDevice' | 'separationMemoryMb' | 'separationQueue'>;

let runtime: Promise<NetworkAnswer> | null = null;

/** What runs networks on this machine, looked at once: its version and devices, or why there is none. */
export function findNetworkRuntime(): Promise<NetworkAnswer> {
  runtime ??= askNetwork({ about: 'runtime' }, new AbortController().signal).catch((error: unknown) => ({
    about: 'error',
    message: messageOf(error),
  }));
  return runtime;
}

/** What the separator is told of a model's networks; or a sentence that says why they cannot be used here. */
function weightsOf(installed: InstalledModel, settings: Settings): SeparatorWeights | string {
  const { modelsDir, separationDevice, separationMemoryMb, separationQueue } = settings;
  const { keeping_memory: keeping, freeing_memory: freeing } = installed.tested;
  const fits = (peakMb: number): boolean => peakMb * memoryMargin <= separationMemoryMb;
  if (!fits(freeing.peak_mb)) {
    const need = Math.ceil(freeing.peak_mb * memoryMargin);
    return `they need ${need} MB, and SEPARATION_MEMORY_MB is ${separationMemoryMb}`;
  }
  return {
    contract: installed.contract,
    stems: installed.stems,
    files: installed.networks.map((path) => join(modelsDir, path)),
    device: separationDevice,
    keeps_memory: keeping !== null && fits(keeping.peak_mb),
    memory_mb: separationMemoryMb,
    queue: separationQueue,
  };
}

/** What would serve a model if it were asked for now. */
export async function chooseBackend(settings: Settings, model: SeparationModelName): Promise<BackendChoice> {
  const found = await findInstalledModel(settings.modelsDir, model);
  if (found.kind === 'none') return withoutNetworks(model, null);
  if (found.kind === 'broken') return withoutNetworks(model, found.why);
  const weights = weightsOf(found.installed, settings);
  if (typeof weights === 'string') return withoutNetworks(model, weights);
  const known = await findNetworkRuntime();
  if (known.about === 'error') return withoutNetworks(model, known.message);
  const day = found.installed.added_at.slice(0, 10);
  return { backend: 'onnx', weights, note: `by networks of the operator's own, added on ${day}` };
}

function withoutNetworks(model: SeparationModelName, why: string | null): BackendChoice {
  const refusal = modelRefusal(model);
  const note = why === null ? null : `the networks of ${model} are not used: ${why}`;
  if (refusal !== null) return { backend: null, note: note === null ? refusal : `${refusal} And ${note}` };
  return { backend: 'spectral', note };
}

/** What a model is, in the words of the models list, by whatever serves it. */
export function describeModel(model: SeparationModelName, { backend }: BackendChoice): string {
  const { description, stemTypes } = separationModels[model];
  if (backend !== 'onnx') return description;
  const stems = `${stemTypes.slice(0, -1).join(', ')} and ${stemTypes.at(-1)}`;
  return `${stems} by networks that the operator of this studio has added. How good they are and what their licence allows, the operator knows.`;
}

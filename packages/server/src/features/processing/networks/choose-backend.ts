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

/** Backend that currently serves a model. */
export type BackendChoice =
  /** Networks added by the operator. */
  | {
      readonly backend: 'onnx';
      readonly weights: SeparatorWeights;
      /** Entry of the catalogue that they were downloaded from; null for files of the operator's own. */
      readonly network: NonNullable<InstalledModel['network']> | null;
      readonly note: string;
    }
  /** The built-in methods; `note` states why installed networks are not used, if there are any. */
  | { readonly backend: 'spectral'; readonly note: string | null }
  /** None; `note` states the problem. */
  | { readonly backend: null; readonly note: string };

/** Memory factor of a separation over the self-test, for longer audio and a longer-lived process. */
const memoryMargin = 1.1;

type Settings = Pick<Config, 'modelsDir' | 'separationDevice' | 'separationMemoryMb' | 'separationQueue'>;

let runtime: Promise<NetworkAnswer> | null = null;

/** Returns the network runtime of this machine, inspected once: its version and devices, or why there is none. */
export function findNetworkRuntime(): Promise<NetworkAnswer> {
  runtime ??= askNetwork({ about: 'runtime' }, new AbortController().signal).catch((error: unknown) => ({
    about: 'error',
    message: messageOf(error),
  }));
  return runtime;
}

/** Returns the separator's description of a model's networks, or a sentence on why they cannot be used. */
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

/** Returns the backend that would serve a model now. */
export async function chooseBackend(settings: Settings, model: SeparationModelName): Promise<BackendChoice> {
  const found = await findInstalledModel(settings.modelsDir, model);
  if (found.kind === 'none') return withoutNetworks(model, null);
  if (found.kind === 'broken') return withoutNetworks(model, found.why);
  const weights = weightsOf(found.installed, settings);
  if (typeof weights === 'string') return withoutNetworks(model, weights);
  const known = await findNetworkRuntime();
  if (known.about === 'error') return withoutNetworks(model, known.message);
  const day = found.installed.added_at.slice(0, 10);
  const { network } = found.installed;
  const source = network ? `the network ${network.title}` : "networks of the operator's own";
  return { backend: 'onnx', weights, network: network ?? null, note: `by ${source}, added on ${day}` };
}

function withoutNetworks(model: SeparationModelName, why: string | null): BackendChoice {
  const refusal = modelRefusal(model);
  const note = why === null ? null : `the networks of ${model} are not used: ${why}`;
  if (refusal !== null) return { backend: null, note: note === null ? refusal : `${refusal} And ${note}` };
  return { backend: 'spectral', note };
}

/** Returns the description of a model for the models list, depending on its backend. */
export function describeModel(model: SeparationModelName, choice: BackendChoice): string {
  const { description, stemTypes } = separationModels[model];
  if (choice.backend !== 'onnx') return description;
  const stems = `${stemTypes.slice(0, -1).join(', ')} and ${stemTypes.at(-1)}`;
  const { network } = choice;
  if (network) return `${stems} by the network ${network.title}. Licence: ${network.licence}.`;
  return `${stems} by networks that the operator of this studio has added. How good they are and what their licence allows, the operator knows.`;
}

import { separationModelNames } from '@stem-studio/contract/separation-models';
import { chooseBackend, findInstalledModel, findNetworkRuntime } from '../features/processing/standalone.ts';
import type { Config } from '../platform/config.ts';
import type { Finding } from './checks.ts';

/** Reports the runtime for networks, the models they serve, and why an added network is not used. */
export async function checkNetworks(config: Config): Promise<Finding> {
  const served: string[] = [];
  const unused: string[] = [];
  for (const model of separationModelNames) {
    const found = await findInstalledModel(config.modelsDir, model);
    if (found.kind === 'none') continue;
    const { backend, note } = await chooseBackend(config, model);
    if (backend === 'onnx') served.push(model);
    else unused.push(note ?? model);
  }
  const runtime = await findNetworkRuntime();
  const means =
    runtime.about === 'runtime'
      ? `onnxruntime-node ${runtime.version} on ${config.separationDevice}, up to ${config.separationMemoryMb} MB`
      : runtime.about === 'error'
        ? runtime.message
        : '';
  if (unused.length > 0) return { state: 'bad', says: unused.join('; ') };
  if (served.length > 0)
    return { state: 'good', says: `${served.join(', ')} by networks of your own; ${means}` };
  return { state: 'note', says: `none added, the built-in engine separates; ${means}` };
}

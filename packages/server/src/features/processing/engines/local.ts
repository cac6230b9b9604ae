import { basename, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stemType } from '@stem-studio/contract/resources/stem';
import type { SeparatorResult } from '@stem-studio/contract/separator';
import type { Context } from '../../../platform/context.ts';
import { messageOf } from '../../../platform/errors.ts';
import { type BackendChoice, chooseBackend } from '../networks/choose-backend.ts';
import {
  SeparationCrashed,
  type SeparationEngine,
  type SeparationOutcome,
  SeparationRefused,
  type SeparationRequest,
} from '../separation-engine.ts';
import type { SeparatorOutcome } from './run-separator.ts';
import { separatorPoolOf } from './separator-pool.ts';

/** Name of the network inside the built-in models. */
const builtInNetwork = 'spleeter_2stems';

/** Returns the name of the network of a backend: of the operator's networks their folder, which has a part of their hash. */
function networkOf(choice: BackendChoice, modelsDir: string): string | null {
  if (choice.backend === 'spectral') return builtInNetwork;
  const [first] = choice.backend === 'onnx' ? choice.weights.files : [];
  return first === undefined ? null : (relative(modelsDir, first).split(sep)[0] ?? null);
}

function toOutcome(result: SeparatorResult, network: string | null): SeparationOutcome {
  const stems = Object.entries(result.stems).map(([name, path]) => {
    const type = stemType.safeParse(name);
    if (!type.success || result.sample_rate === undefined) {
      throw new SeparationCrashed(`the separation engine gave a result that cannot be read (stem "${name}")`);
    }
    return {
      stemType: type.data,
      fileName: basename(path),
      durationMs: result.duration_ms ?? 0,
      sampleRate: result.sample_rate,
      channels: result.channels ?? 2,
      peak: result.peaks?.[name] ?? 0,
    };
  });
  return { stems, backend: result.backend ?? 'spectral', network };
}

/**
 * Creates the engine that separates on this machine, in a child process. The process reports progress and may stay idle
 * for the next request. It uses the operator's networks for the model where they are usable. Where they are removed
 * before it has loaded them, it uses the backend that serves the model then.
 *
 * @spec Local separation process
 */
export function createLocalEngine(context: Context): SeparationEngine {
  const { log } = context;
  return {
    async separate(request, run) {
      let choice = await chooseBackend(context.config, request.model);
      for (;;) {
        if (choice.backend === null) throw new SeparationRefused(choice.note);
        const { result, refusal, exitCode, stderrTail } = await ask(context, request, choice, run);
        if (refusal?.code === 'model_not_available') {
          const now = await chooseBackend(context.config, request.model);
          const isOther = !isDeepStrictEqual(now, choice);
          choice = now;
          if (isOther) continue;
        }
        if (refusal !== null) throw new SeparationRefused(refusal.message);
        if (result === null) {
          log.warn({ exitCode, stderr: stderrTail }, 'separation engine died');
          throw new SeparationCrashed(`the separation engine ended without a result (exit code ${exitCode})`);
        }
        for (const warning of result.warnings ?? []) log.warn({ model: request.model }, warning);
        return toOutcome(result, networkOf(choice, context.config.modelsDir));
      }
    },
  };
}

async function ask(
  context: Context,
  request: SeparationRequest,
  choice: BackendChoice,
  { signal, report }: Parameters<SeparationEngine['separate']>[1],
): Promise<SeparatorOutcome> {
  const { config } = context;
  try {
    return await separatorPoolOf(context).separate(
      {
        input_path: request.inputPath,
        output_dir: request.output.path,
        model: request.model,
        bit_depth: config.stemBitDepth,
        max_seconds: request.maxSeconds,
        max_duration_seconds: config.maxDurationSeconds,
        ...(choice.backend === 'onnx' ? { weights: choice.weights } : {}),
      },
      {
        signal,
        report: ({ percent, stage, eta_seconds }) =>
          report({
            percent,
            stage: stage ?? 'separating',
            etaSeconds: eta_seconds === undefined ? null : Math.ceil(eta_seconds),
          }),
      },
    );
  } catch (error) {
    if (signal.aborted) throw error;
    throw new SeparationCrashed(`the separation engine stopped: ${messageOf(error)}`, { cause: error });
  }
}

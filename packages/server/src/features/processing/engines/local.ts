import { basename } from 'node:path';
import { stemType } from '@stem-studio/contract/resources/stem';
import type { SeparatorResult } from '@stem-studio/contract/separator';
import type { Context } from '../../../context.ts';
import { messageOf } from '../../../platform/errors.ts';
import { chooseBackend } from '../networks/choose-backend.ts';
import {
  SeparationCrashed,
  type SeparationEngine,
  type SeparationOutcome,
  SeparationRefused,
} from '../separation-engine.ts';
import { runSeparator } from './run-separator.ts';

function toOutcome(result: SeparatorResult): SeparationOutcome {
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
  return { stems, backend: result.backend ?? 'spectral' };
}

/**
 * The engine of this machine: a child process that is asked one thing, tells how far it is and ends. It uses the
 * networks that the operator has added for the model, where there are any that can be used.
 *
 * @spec Local separation process messages
 */
export function createLocalEngine(context: Context): SeparationEngine {
  const { config, log } = context;
  return {
    async separate(request, { signal, report }) {
      const choice = await chooseBackend(config, request.model);
      if (choice.backend === null) throw new SeparationRefused(choice.note);
      const { result, refusal, exitCode, stderrTail } = await runSeparator(
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
          report: (progress) =>
            report({
              percent: progress.percent,
              stage: progress.stage ?? 'separating',
              etaSeconds: progress.eta_seconds === undefined ? null : Math.ceil(progress.eta_seconds),
            }),
        },
      ).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new SeparationCrashed(`the separation engine stopped: ${messageOf(error)}`, { cause: error });
      });
      if (refusal !== null) throw new SeparationRefused(refusal);
      if (result === null) {
        log.warn({ exitCode, stderr: stderrTail }, 'separation engine died');
        throw new SeparationCrashed(`the separation engine ended without a result (exit code ${exitCode})`);
      }
      for (const warning of result.warnings ?? []) log.warn({ model: request.model }, warning);
      return toOutcome(result);
    },
  };
}

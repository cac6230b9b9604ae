import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { separationTimeoutMs } from '@stem-studio/contract/limits';
import { stemType } from '@stem-studio/contract/resources/stem';
import {
  type SeparatorRequest,
  type SeparatorResult,
  separatorMessage,
} from '@stem-studio/contract/separator';
import type { Context } from '../../../context.ts';
import { messageOf } from '../../../platform/errors.ts';
import { runNdjson } from '../../../platform/process/ndjson-process.ts';
import {
  SeparationCrashed,
  type SeparationEngine,
  type SeparationOutcome,
  SeparationRefused,
} from '../separation-engine.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/main'));

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
 * The engine of this machine: a child process that is asked one thing, tells how far it is and ends. A process that
 * says nothing for 300,000 ms is ended.
 *
 * @spec Local separation process messages
 */
export function createLocalEngine(context: Context): SeparationEngine {
  return {
    async separate(request, { signal, report }) {
      let result: SeparatorResult | null = null;
      let refusal: string | null = null;
      const outcome = await runNdjson({
        command: process.execPath,
        args: [program],
        input: {
          input_path: request.inputPath,
          output_dir: request.output.path,
          model: request.model,
          bit_depth: context.config.stemBitDepth,
          max_seconds: request.maxSeconds,
          max_duration_seconds: context.config.maxDurationSeconds,
        } satisfies SeparatorRequest,
        message: separatorMessage,
        signal,
        stallMs: separationTimeoutMs,
        onMessage(message) {
          if (message.type === 'progress') {
            report({
              percent: message.percent,
              stage: message.stage ?? 'separating',
              etaSeconds: message.eta_seconds === undefined ? null : Math.ceil(message.eta_seconds),
            });
          } else if (message.type === 'result') result = message;
          else refusal = message.message;
        },
      }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new SeparationCrashed(`the separation engine stopped: ${messageOf(error)}`, { cause: error });
      });
      if (refusal !== null) throw new SeparationRefused(refusal);
      if (result === null) {
        context.log.warn(
          { exitCode: outcome.exitCode, stderr: outcome.stderrTail },
          'separation engine died',
        );
        throw new SeparationCrashed(
          `the separation engine ended without a result (exit code ${outcome.exitCode})`,
        );
      }
      return toOutcome(result);
    },
  };
}

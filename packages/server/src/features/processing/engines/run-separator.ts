import { fileURLToPath } from 'node:url';
import { separationTimeoutMs } from '@stem-studio/contract/limits';
import {
  type SeparatorProgress,
  type SeparatorRequest,
  type SeparatorResult,
  separatorMessage,
} from '@stem-studio/contract/separator';
import { runNdjson } from '../../../platform/process/ndjson-process.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/main'));

/** How a run of the separator ended: by its result, by its own word that it cannot be done, or by neither. */
export interface SeparatorOutcome {
  readonly result: SeparatorResult | null;
  readonly refusal: string | null;
  readonly exitCode: number;
  /** The end of its standard error: for the log. */
  readonly stderrTail: string;
}

/**
 * Runs the separator once. A process that says nothing for 300,000 ms is ended. Throws what {@link runNdjson} throws.
 *
 * @spec Local separation process messages
 */
export async function runSeparator(
  request: SeparatorRequest,
  {
    signal,
    report,
  }: { readonly signal: AbortSignal; readonly report: (progress: SeparatorProgress) => void },
): Promise<SeparatorOutcome> {
  const told: { result: SeparatorResult | null; refusal: string | null } = { result: null, refusal: null };
  const { exitCode, stderrTail } = await runNdjson({
    command: process.execPath,
    args: [program],
    input: request,
    message: separatorMessage,
    signal,
    stallMs: separationTimeoutMs,
    onMessage(message) {
      if (message.type === 'progress') report(message);
      else if (message.type === 'result') told.result = message;
      else told.refusal = message.message;
    },
  });
  return { ...told, exitCode, stderrTail };
}

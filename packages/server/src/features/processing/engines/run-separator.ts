import { fileURLToPath } from 'node:url';
import { separationTimeoutMs } from '@stem-studio/contract/limits';
import {
  type SeparatorError,
  type SeparatorMessage,
  type SeparatorProgress,
  type SeparatorRequest,
  type SeparatorResult,
  separatorMessage,
  separatorNodeArgs,
} from '@stem-studio/contract/separator';
import { type NdjsonProcess, startNdjson } from '../../../platform/process/ndjson-process.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/main'));

/** Result of a run of the separator: a result, a refusal, or neither. */
export interface SeparatorOutcome {
  readonly result: SeparatorResult | null;
  readonly refusal: SeparatorError | null;
  /** Null when the process is alive and can be used again. */
  readonly exitCode: number | null;
  /** End of its standard error, for the log. */
  readonly stderrTail: string;
  /** Whether it sent any message. */
  readonly hasSpoken: boolean;
}

/** Abort signal and progress callback of a run. */
export interface SeparatorRun {
  readonly signal: AbortSignal;
  readonly report: (progress: SeparatorProgress) => void;
}

/** A child process of the separator. */
export type SeparatorProcess = NdjsonProcess<SeparatorMessage>;

/** Starts a separator process for requests like this one, which it waits for. */
export function startSeparator(request: Pick<SeparatorRequest, 'weights'>): SeparatorProcess {
  const args = [...separatorNodeArgs(request), program];
  return startNdjson({ command: process.execPath, args, message: separatorMessage });
}

/**
 * Sends one request to a separator process. A process without any message for 300,000 ms is killed.
 *
 * @throws the errors of {@link NdjsonProcess.ask}
 * @spec Local separation process
 */
export async function askSeparator(
  separator: SeparatorProcess,
  request: SeparatorRequest,
  { signal, report }: SeparatorRun,
): Promise<SeparatorOutcome> {
  const received: { result: SeparatorResult | null; refusal: SeparatorError | null } = {
    result: null,
    refusal: null,
  };
  let hasSpoken = false;
  const ending = await separator.ask({
    input: request,
    signal,
    stallMs: separationTimeoutMs,
    onMessage(message) {
      hasSpoken = true;
      if (message.type === 'progress') report(message);
      else if (message.type === 'result') received.result = message;
      else received.refusal = message;
    },
    isLast: ({ type }) => type === 'result' && request.stays === true,
  });
  return { ...received, hasSpoken, exitCode: ending?.exitCode ?? null, stderrTail: ending?.stderrTail ?? '' };
}

/**
 * Runs the separator once, in a process of its own.
 *
 * @throws the errors of {@link askSeparator}
 */
export async function runSeparator(request: SeparatorRequest, run: SeparatorRun): Promise<SeparatorOutcome> {
  run.signal.throwIfAborted();
  return askSeparator(startSeparator(request), request, run);
}

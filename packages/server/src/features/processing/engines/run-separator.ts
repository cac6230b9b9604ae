import { fileURLToPath } from 'node:url';
import { separationTimeoutMs } from '@stem-studio/contract/limits';
import {
  type SeparatorError,
  type SeparatorMessage,
  type SeparatorProgress,
  type SeparatorRequest,
  type SeparatorResult,
  separatorMessage,
} from '@stem-studio/contract/separator';
import { type NdjsonProcess, startNdjson } from '../../../platform/process/ndjson-process.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/main'));

/** How a run of the separator ended: by its result, by its own word that it cannot be done, or by neither. */
export interface SeparatorOutcome {
  readonly result: SeparatorResult | null;
  readonly refusal: SeparatorError | null;
  /** Null: it lives on, and can be asked again. */
  readonly exitCode: number | null;
  /** The end of its standard error: for the log. */
  readonly stderrTail: string;
  /** Whether it said anything at all. */
  readonly hasSpoken: boolean;
}

/** Who waits for a separation. */
export interface SeparatorRun {
  readonly signal: AbortSignal;
  readonly report: (progress: SeparatorProgress) => void;
}

/** A process of the separator. */
export type SeparatorProcess = NdjsonProcess<SeparatorMessage>;

/** Starts a process of the separator, which waits for a request. */
export function startSeparator(): SeparatorProcess {
  return startNdjson({ command: process.execPath, args: [program], message: separatorMessage });
}

/**
 * Asks a process of the separator once. One that says nothing for 300,000 ms is ended. Throws what
 * {@link NdjsonProcess.ask} throws.
 *
 * @spec Local separation process
 */
export async function askSeparator(
  separator: SeparatorProcess,
  request: SeparatorRequest,
  { signal, report }: SeparatorRun,
): Promise<SeparatorOutcome> {
  const told: { result: SeparatorResult | null; refusal: SeparatorError | null } = {
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
      else if (message.type === 'result') told.result = message;
      else told.refusal = message;
    },
    isLast: ({ type }) => type === 'result' && request.stays === true,
  });
  return { ...told, hasSpoken, exitCode: ending?.exitCode ?? null, stderrTail: ending?.stderrTail ?? '' };
}

/** Runs the separator once, in a process of its own. Throws what {@link askSeparator} throws. */
export async function runSeparator(request: SeparatorRequest, run: SeparatorRun): Promise<SeparatorOutcome> {
  run.signal.throwIfAborted();
  return askSeparator(startSeparator(), request, run);
}

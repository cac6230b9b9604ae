import { fileURLToPath } from 'node:url';
import {
  type NetworkAnswer,
  type NetworkQuestion,
  networkAnswer,
} from '@stem-studio/contract/separation-weights';
import { runNdjson } from '../../../platform/process/ndjson-process.ts';

const program = fileURLToPath(import.meta.resolve('@stem-studio/separator/examine'));

/** Time limit in ms. Opening a network of some hundred megabytes takes seconds; a minute on a slow disk. */
const longestMs = 120_000;

/** Inspects a network or the network runtime in a process of its own. A crash then affects only that process. */
export async function askNetwork(question: NetworkQuestion, signal: AbortSignal): Promise<NetworkAnswer> {
  const received: { answer: NetworkAnswer | null } = { answer: null };
  const { exitCode } = await runNdjson({
    command: process.execPath,
    args: [program],
    input: question,
    message: networkAnswer,
    signal,
    stallMs: longestMs,
    onMessage(message) {
      received.answer = message;
    },
  });
  return (
    received.answer ?? {
      about: 'error',
      message: `the process that looked at it ended without an answer (exit code ${exitCode})`,
    }
  );
}

import type * as OnnxRuntime from 'onnxruntime-node';
import { SeparationError } from '../separation-error.ts';

/** What runs networks: ONNX Runtime. */
export type NetworkRuntime = typeof OnnxRuntime;

/**
 * Loads what runs networks. It is an optional package: not every machine has binaries of it.
 *
 * @throws SeparationError `model_not_available` where it is not installed or does not load, with the reason
 * @see https://onnxruntime.ai/docs/get-started/with-javascript/node.html
 */
export async function loadNetworkRuntime(): Promise<NetworkRuntime> {
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new SeparationError(
      'model_not_available',
      `networks need the package onnxruntime-node, which does not load here (${process.platform} ${process.arch}: ${reason})`,
      { cause },
    );
  }
}

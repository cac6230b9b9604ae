import type * as OnnxRuntime from 'onnxruntime-node';
import { SeparationError } from '../separation-error.ts';

/** ONNX Runtime. */
export type NetworkRuntime = typeof OnnxRuntime;

/**
 * Loads ONNX Runtime, an optional package: binaries do not exist for every platform.
 *
 * @throws SeparationError `model_not_available` if it is not installed or does not load
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

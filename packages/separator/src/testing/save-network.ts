import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OnnxFiles } from '@stem-studio/dsp/network/onnx-file';

/** Writes the files of a network and returns the path of its graph. */
export function saveNetwork(path: string, { graph, beside }: OnnxFiles): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, graph);
  for (const [name, content] of Object.entries(beside)) writeFileSync(join(dirname(path), name), content);
  return path;
}

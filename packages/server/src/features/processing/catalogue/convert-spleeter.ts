import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { writeOnnx } from '@stem-studio/dsp/network/onnx-file';
import {
  buildSpleeterGraph,
  type SpleeterNetwork,
  spleeterTensors,
} from '@stem-studio/dsp/network/spleeter-network';
import type { UnetTensor } from '@stem-studio/dsp/network/spleeter-unet';
import { readBundleIndex, readTensorValues, requireTensor } from '@stem-studio/dsp/network/tensor-bundle';
import { TarError, tarEntries } from '../../../platform/files/tar-entries.ts';

/** Input of a conversion. */
export interface ConversionRequest {
  /** Path of the `.tar.gz` archive. */
  readonly archive: string;
  /** Existing folder for the network, which is written as `network.onnx` and `network.weights`. */
  readonly folder: string;
  readonly network: SpleeterNetwork;
  /** Output stems in order. */
  readonly order: readonly string[];
  /** Largest accepted size of the unpacked checkpoint in bytes. */
  readonly maxBytes: number;
}

/** Files of the checkpoint; those for training and the description of the graph are not needed. */
const checkpointNames = ['model.index', 'model.data-00000-of-00001'] as const;
const largestIndexBytes = 4 * 2 ** 20;

/**
 * Converts the archive of a Spleeter checkpoint to an ONNX graph with its values beside it.
 *
 * `archive → gunzip → tar → checkpoint → checked tensors, transposed → network.weights, network.onnx`
 *
 * @param report called with the fraction done, 0 to 1
 * @returns the path of the graph
 * @throws TarError, or CheckpointError of dsp, naming the damage or the tensor that differs
 */
export async function convertSpleeter(
  request: ConversionRequest,
  report: (fraction: number) => void,
): Promise<string> {
  const { folder, network, order } = request;
  await unpack(request);
  report(0.3);
  const [indexPath, dataPath] = checkpointNames.map((name) => join(folder, name)) as [string, string];
  const data = await open(dataPath, 'r');
  try {
    const { size } = await data.stat();
    const tensors = readBundleIndex(await readFile(indexPath), size);
    const needed = spleeterTensors(network);
    const checked = needed.map(({ source, sourceShape }) => requireTensor(tensors, source, sourceShape));
    const weights = await open(join(folder, 'network.weights'), 'wx', 0o640);
    try {
      for (const [i, tensor] of checked.entries()) {
        const values = readTensorValues(tensor, await readPart(data, tensor.offset, tensor.bytes));
        const moved = transpose(values, needed[i] as UnetTensor);
        await weights.writeFile(new Uint8Array(moved.buffer));
        report(0.3 + (0.7 * (i + 1)) / checked.length);
      }
      await weights.sync();
    } finally {
      await weights.close();
    }
  } finally {
    await data.close();
  }
  for (const path of [indexPath, dataPath]) await rm(path);
  const graphPath = join(folder, 'network.onnx');
  const { graph } = writeOnnx(buildSpleeterGraph(network, order, 'network.weights'));
  await writeFile(graphPath, graph, { flush: true });
  return graphPath;
}

/** Writes the files of the checkpoint into the folder. */
async function unpack({ archive, folder, maxBytes }: ConversionRequest): Promise<void> {
  const gunzip = createGunzip();
  const found = new Set<string>();
  const read = async (): Promise<void> => {
    let total = 0;
    for await (const entry of tarEntries(gunzip as AsyncIterable<Buffer>)) {
      const name = checkpointNames.find((one) => entry.name === one);
      // The archive also contains the description of the graph and files of macOS.
      total += entry.bytes;
      if (total > 2 * maxBytes) throw new TarError(`the archive has more than ${2 * maxBytes} bytes`);
      if (name === undefined) continue;
      const limit = name === 'model.index' ? largestIndexBytes : maxBytes;
      if (found.has(name)) throw new TarError(`the archive contains ${name} twice`);
      if (entry.bytes > limit)
        throw new TarError(`${name} must have ${limit} bytes or fewer (got ${entry.bytes})`);
      found.add(name);
      const file = await open(join(folder, name), 'wx', 0o640);
      try {
        for await (const piece of entry.content()) await file.writeFile(piece);
      } finally {
        await file.close();
      }
    }
  };
  try {
    await pipeline(createReadStream(archive, { highWaterMark: 1 << 20 }), gunzip, read);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new TarError('the archive is damaged: it cannot be decompressed', { cause: error });
  }
  for (const name of checkpointNames)
    if (!found.has(name)) throw new TarError(`the archive must contain ${name}`);
}

/** Reads a part of a file; its size has been checked. */
async function readPart(file: FileHandle, offset: number, bytes: number): Promise<Uint8Array> {
  const part = new Uint8Array(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(part, done, bytes - done, offset + done);
    if (bytesRead === 0) throw new TarError('the data file of the checkpoint ends early');
    done += bytesRead;
  }
  return part;
}

/** Returns values in the order of the axes of the graph. */
function transpose(values: Float32Array, { sourceShape, dims, axes }: UnetTensor): Float32Array {
  if (axes.length === 1) return values;
  const strides = sourceShape.map((_, i) =>
    sourceShape.slice(i + 1).reduce((product, size) => product * size, 1),
  );
  const [a, b, c, d] = axes.map((axis) => strides[axis] as number) as [number, number, number, number];
  const [sizeA, sizeB, sizeC, sizeD] = dims as [number, number, number, number];
  const moved = new Float32Array(values.length);
  let at = 0;
  for (let i = 0; i < sizeA; i++)
    for (let j = 0; j < sizeB; j++)
      for (let k = 0; k < sizeC; k++)
        for (let l = 0; l < sizeD; l++) moved[at++] = values[i * a + j * b + k * c + l * d] as number;
  return moved;
}

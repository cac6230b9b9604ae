import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { spleeterTensors } from '@stem-studio/dsp/network/spleeter-network';
import { writeCheckpoint } from '@stem-studio/dsp/testing/checkpoint-file';
import { type FileHost, startFileHost } from './file-host.ts';
import { makeFolder } from './library-steps.ts';
import type { TestLifetime } from './test-context.ts';

/** A network of a test catalogue with its files. */
export interface TestNetwork {
  readonly name: string;
  readonly files: readonly Uint8Array[];
  readonly serves: readonly string[];
  readonly mustAccept?: boolean;
  /** Whether the catalogue states the sizes of the files; default true. */
  readonly statesSize?: boolean;
  /** Description of a checkpoint; absent for ONNX files. */
  readonly spleeter?: { readonly stems: readonly string[]; readonly outputs: 'sigmoid' | 'softmax' };
}

/** Notice of the licence of every test network. */
export const testNotice = 'These weights are for scientific purposes only.';

/** Returns the path of a file of a test network on the host. */
export function hostedPath(name: string, index = 0): string {
  return `/files.example.org/${name}/${index}`;
}

/** Starts a mirror with the files of networks, and writes their catalogue. */
export async function openCatalogue(t: TestLifetime, networks: readonly TestNetwork[]) {
  const host: FileHost = await startFileHost(t);
  const path = join(await makeFolder(t), 'catalogue.json');
  const entries = networks.map(
    ({ name, files, serves, mustAccept = false, statesSize = true, spleeter }) => ({
      name,
      title: `The network ${name}`,
      about: 'A network of a test.',
      stems: ['drums', 'bass', 'other', 'vocals'],
      serves,
      licence: {
        name: 'a test licence',
        notice: testNotice,
        must_accept: mustAccept,
        url: 'https://example.org/licence',
      },
      redirect_hosts: [],
      files: files.map((bytes, index) => ({
        url: `https://files.example.org/${name}/${index}`,
        ...(statesSize ? { bytes: bytes.length } : { bytes: null, max_bytes: 100_000_000 }),
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })),
      ...(spleeter
        ? { format: 'spleeter', spleeter: { ...spleeter, activation: 'elu' } }
        : { format: 'onnx' }),
    }),
  );
  for (const { name, files } of networks)
    for (const [index, bytes] of files.entries())
      host.files.set(hostedPath(name, index), { bytes, etag: `"${name}-${index}"` });
  await writeFile(path, JSON.stringify(entries));
  return { host, path };
}

function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Writes a tar archive of regular files, as GNU tar does. */
export function writeTar(files: readonly (readonly [string, Uint8Array])[]): Buffer {
  const parts = files.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc((512 - (bytes.length % 512)) % 512),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/**
 * Writes the archive of a Spleeter checkpoint whose result is known: all kernels are 0, so that each U-Net gives only
 * the sigmoid of its last bias.
 *
 * @param biases last bias of each stem, in the order of the checkpoint
 */
export function writeSpleeterArchive(stems: readonly string[], biases: readonly number[]): Buffer {
  const network = { stems, activation: 'elu', outputs: 'sigmoid' } as const;
  const tensors = spleeterTensors(network).map(({ source, sourceShape }) => {
    const values = new Float32Array(sourceShape.reduce((product, size) => product * size, 1));
    if (source.endsWith('variance')) values.fill(1);
    const stem = stems.findIndex((_, index) => source === `conv2d_${index * 7 + 6}/bias`);
    if (stem >= 0) values.fill(biases[stem] ?? 0);
    return { name: source, shape: sourceShape, values };
  });
  const { index, data } = writeCheckpoint(tensors);
  const tar = writeTar([
    ['./checkpoint', Buffer.from('model_checkpoint_path: "model"\n')],
    ['./model.data-00000-of-00001', data],
    ['./model.index', index],
  ]);
  return gzipSync(tar, { level: 1 });
}

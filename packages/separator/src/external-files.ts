import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SeparationError } from './separation-error.ts';

/** Protocol buffers are limited to 2 GiB; larger graphs keep their values in external files. */
const largestBytes = 2 ** 31;

/** Numbers of the fields on the way to names of external files. @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const fields = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5 },
  node: { attribute: 5 },
  attribute: { tensor: 5, tensors: 10, graph: 6, graphs: 11 },
  tensor: { externalData: 13 },
} as const;

type Message = keyof typeof fields | 'entry';

/** Message types of the fields that must be followed. */
const inside: Readonly<Record<Message, Readonly<Record<number, Message>>>> = {
  model: { [fields.model.graph]: 'graph' },
  graph: { [fields.graph.node]: 'node', [fields.graph.initializer]: 'tensor' },
  node: { [fields.node.attribute]: 'attribute' },
  attribute: {
    [fields.attribute.tensor]: 'tensor',
    [fields.attribute.tensors]: 'tensor',
    [fields.attribute.graph]: 'graph',
    [fields.attribute.graphs]: 'graph',
  },
  tensor: { [fields.tensor.externalData]: 'entry' },
  entry: {},
};

/**
 * Walks a protocol buffer and collects names of external files.
 *
 * @throws RangeError for a length beyond the end, an unknown wire type or too deep nesting
 */
function walk(buffer: Buffer, kind: Message, found: Set<string>, depth: number): void {
  if (depth > 64) throw new RangeError('nested too deeply');
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = buffer[at++];
      if (byte === undefined || factor > 2 ** 63) throw new RangeError('a number without an end');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  let key = '';
  while (at < buffer.length) {
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const size = varint();
      if (at + size > buffer.length) throw new RangeError('a field beyond the end');
      const content = buffer.subarray(at, at + size);
      at += size;
      const next = inside[kind][field];
      if (next !== undefined) walk(content, next, found, depth + 1);
      else if (kind === 'entry' && field === 1) key = content.toString();
      else if (kind === 'entry' && field === 2 && key === 'location') found.add(content.toString());
    } else throw new RangeError(`wire type ${wire}`);
  }
  if (at > buffer.length) throw new RangeError('a field beyond the end');
}

/**
 * Lists the external files of an ONNX graph, which lie in its folder.
 *
 * @throws SeparationError `model_not_available` for a file that is not an ONNX graph, or a name with a path
 */
export async function listExternalFiles(path: string): Promise<string[]> {
  const refuse = (rule: string): SeparationError => new SeparationError('model_not_available', rule);
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) throw refuse(`the network must be an existing file (got ${path})`);
  if (facts.size === 0 || facts.size >= largestBytes)
    throw refuse(`an ONNX file must have 1 to ${largestBytes - 1} bytes (got ${facts.size})`);
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 22 })) chunks.push(chunk as Buffer);
  const found = new Set<string>();
  try {
    walk(Buffer.concat(chunks), 'model', found, 0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse(`the network must be an ONNX file (${path} is not: ${error.message})`);
  }
  for (const name of found)
    if (!/^[\w. -]{1,200}$/.test(name) || /^\.+$/.test(name))
      throw refuse(`the external files of a network must be in its folder (got ${JSON.stringify(name)})`);
  return [...found].sort();
}

import type { OnnxGraph, OnnxNode, OnnxTensor, OnnxValue, StoredTensor } from './onnx-file.ts';

/** Collects the nodes and constants of a graph; every method returns the name of what it added. */
export interface GraphBuilder {
  /** Adds an operation with one output. */
  node(op: string, inputs: readonly string[], attributes?: OnnxNode['attributes']): string;
  /** Adds whole numbers: a list, or a single number without dimensions. */
  integers(values: readonly number[] | number): string;
  /** Adds float32 values. */
  floats(dims: readonly number[], values: readonly number[] | Float32Array): string;
  /** Adds a constant whose values are in a file beside the graph. */
  stored(tensor: StoredTensor): string;
  /** Returns the graph; `output` is the name of the value that becomes its output. */
  build(input: OnnxValue, output: string, dims: readonly number[]): OnnxGraph;
}

/** Creates an empty graph with operators of version 17. */
export function createGraphBuilder(): GraphBuilder {
  const nodes: OnnxNode[] = [];
  const tensors: (OnnxTensor | StoredTensor)[] = [];
  const add = (tensor: OnnxTensor | StoredTensor): string => {
    tensors.push(tensor);
    return tensor.name;
  };
  return {
    node(op, inputs, attributes) {
      const name = `v${nodes.length}`;
      nodes.push({ op, inputs, outputs: [name], ...(attributes && { attributes }) });
      return name;
    },
    integers(values) {
      const name = `c${tensors.length}`;
      if (typeof values === 'number') return add({ name, dims: [], values: [values], type: 'int64' });
      return add({ name, dims: [values.length], values, type: 'int64' });
    },
    floats: (dims, values) => add({ name: `c${tensors.length}`, dims, values }),
    stored: add,
    build: (input, output, dims) => ({
      inputs: [input],
      outputs: [{ name: output, dims }],
      nodes,
      tensors,
    }),
  };
}

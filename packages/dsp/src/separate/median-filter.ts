import { mediansWasm } from '../native/medians-wasm.ts';
import { startProgram } from '../native/program-loader.ts';

interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  source_at(): number;
  target_at(): number;
  buffer_size(): number;
  most_reach(): number;
  along_columns(rows: number, columns: number, reach: number): void;
  along_rows(rows: number, columns: number, reach: number): void;
}

/** Compiled medians of `packages/dsp/native/medians.c`, with buffers of their own. */
export interface MedianFilter {
  /** Input buffer: rows of values, one after the other. */
  readonly source: Float32Array;
  /** Output buffer, as long as the input. */
  readonly target: Float32Array;
  readonly mostReach: number;
  /** Computes the median of each value and its `reach` neighbours above and below. `columns` is a multiple of four. */
  alongColumns(rows: number, columns: number, reach: number): void;
  /** Computes the median of each value and its `reach` neighbours in its row. `rows` is a multiple of four. */
  alongRows(rows: number, columns: number, reach: number): void;
}

let started: MedianFilter | undefined;

/** Returns the filter of this thread. The first call compiles it, in a few milliseconds. */
export function medianFilter(): MedianFilter {
  started ??= start();
  return started;
}

function start(): MedianFilter {
  const calls = startProgram(mediansWasm) as Calls;
  const { buffer } = calls.memory;
  const size = calls.buffer_size();
  return {
    source: new Float32Array(buffer, calls.source_at(), size),
    target: new Float32Array(buffer, calls.target_at(), size),
    mostReach: calls.most_reach(),
    alongColumns: (rows, columns, reach) => calls.along_columns(rows, columns, reach),
    alongRows: (rows, columns, reach) => calls.along_rows(rows, columns, reach),
  };
}

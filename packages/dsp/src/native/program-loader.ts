import { fromBase64 } from './base64.ts';

/** The part of the WebAssembly API that is used here; browsers and Node provide it. */
declare const WebAssembly: {
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<object>;
  instantiate(module: object): Promise<{ exports: object }>;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/**
 * Returns a function that starts a program compiled from `packages/dsp/native` and returns its exports.
 *
 * Every instance has its own memory. The module is compiled once per thread, at the first start.
 *
 * @param wasm the module in base 64, as written by `tools/build-native.ts`
 */
export function createProgramLoader<Calls extends object>(wasm: string): () => Promise<Calls> {
  let compiling: Promise<object> | undefined;
  return async () => {
    compiling ??= WebAssembly.compile(fromBase64(wasm));
    const { exports } = await WebAssembly.instantiate(await compiling);
    return exports as Calls;
  };
}

/**
 * Starts a small program at once and returns its exports. Only for threads that may wait for its compilation.
 *
 * @param wasm the module in base 64, as written by `tools/build-native.ts`
 */
export function startProgram(wasm: string): object {
  return new WebAssembly.Instance(new WebAssembly.Module(fromBase64(wasm))).exports;
}

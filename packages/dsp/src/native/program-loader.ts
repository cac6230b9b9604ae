import { fromBase64 } from './base64.ts';

/** The part of the language's own WebAssembly that is used here; neither browser nor Node is needed for it. */
declare const WebAssembly: {
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<object>;
  instantiate(module: object): Promise<{ exports: object }>;
};

/**
 * Starts a program compiled from `packages/dsp/native`, each time with a memory of its own; answers what it exports.
 * The module is compiled once a thread, at the first start.
 *
 * @param wasm the module in base 64, as `tools/build-native.ts` writes it
 */
export function nativeProgram<Calls extends object>(wasm: string): () => Promise<Calls> {
  let compiling: Promise<object> | undefined;
  return async () => {
    compiling ??= WebAssembly.compile(fromBase64(wasm));
    const { exports } = await WebAssembly.instantiate(await compiling);
    return exports as Calls;
  };
}

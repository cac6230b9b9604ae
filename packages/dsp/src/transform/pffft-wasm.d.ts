declare module '@echogarden/pffft-wasm/simd' {
  /** The part of the compiled PFFFT module in use; pointers are byte offsets into its memory. */
  export interface PffftModule {
    /** The module's memory as floats; replaced by a new view whenever the memory grows. */
    readonly HEAPF32: Float32Array;
    _pffft_new_setup(size: number, transform: number): number;
    _pffft_destroy_setup(setup: number): void;
    _pffft_transform_ordered(
      setup: number,
      input: number,
      output: number,
      work: number,
      direction: number,
    ): void;
    _pffft_aligned_malloc(bytes: number): number;
    _pffft_aligned_free(pointer: number): void;
  }
  const load: (options?: { wasmBinary?: ArrayBuffer }) => Promise<PffftModule>;
  export default load;
}

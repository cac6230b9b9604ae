/** The address of a module that the bundler builds by itself, for `audioWorklet.addModule`. */
declare module '*.worklet.ts?worker&url' {
  const address: string;
  export default address;
}

/** Address of a module that the bundler builds separately, for `audioWorklet.addModule`. */
declare module '*.worklet.ts?worker&url' {
  const address: string;
  export default address;
}

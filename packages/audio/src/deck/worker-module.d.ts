/** A worker that the bundler builds by itself. */
declare module '*.worker.ts?worker' {
  const SongWorker: new () => Worker;
  export default SongWorker;
}

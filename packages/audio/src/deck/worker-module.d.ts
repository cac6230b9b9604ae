/** A worker that the bundler builds separately. */
declare module '*.worker.ts?worker' {
  const SongWorker: new () => Worker;
  export default SongWorker;
}

// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { encodeInThread } from './encode-in-thread.ts';
export { renderFileMix } from './mix/render-file-mix.ts';

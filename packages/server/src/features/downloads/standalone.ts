// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { decodeUnsupported, unsupportedFormat } from './decode-unsupported.ts';

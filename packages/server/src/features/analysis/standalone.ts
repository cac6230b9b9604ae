// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { analyzeFile } from './analyze-file.ts';

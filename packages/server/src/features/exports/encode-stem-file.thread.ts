import { serveThread } from '../../platform/process/thread-main.ts';
import { type EncodeStemFileRequest, encodeStemFile } from './encode-stem-file.ts';

await serveThread<EncodeStemFileRequest, void>((request) => encodeStemFile(request));

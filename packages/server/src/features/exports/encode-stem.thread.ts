import { serveThread } from '../../platform/process/thread-main.ts';
import { type EncodeStemRequest, encodeStem } from './encode-stem.ts';

await serveThread<EncodeStemRequest, void>((request) => encodeStem(request));

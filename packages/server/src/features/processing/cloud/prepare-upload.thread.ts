import { serveThread } from '../../../platform/process/thread-main.ts';
import { type PreparedUpload, type PrepareUploadRequest, prepareUpload } from './prepare-upload.ts';

await serveThread<PrepareUploadRequest, PreparedUpload>((request) => prepareUpload(request));

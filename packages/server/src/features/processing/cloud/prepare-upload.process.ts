import { serveProcess } from '../../../platform/process/serve-process.ts';
import { type PreparedUpload, type PrepareUploadRequest, prepareUpload } from './prepare-upload.ts';

serveProcess<PrepareUploadRequest, PreparedUpload>((request) => prepareUpload(request));

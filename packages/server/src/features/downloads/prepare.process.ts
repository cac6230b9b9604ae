import { serveProcess } from '../../platform/process/serve-process.ts';
import { type PrepareOutcome, type PrepareRequest, prepareAudio } from './prepare-audio.ts';

serveProcess<PrepareRequest, PrepareOutcome>((request, report) => prepareAudio(request, report));

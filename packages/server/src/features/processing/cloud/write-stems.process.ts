import { serveProcess } from '../../../platform/process/serve-process.ts';
import { type WriteStemsOutcome, type WriteStemsRequest, writeStems } from './write-stems.ts';

serveProcess<WriteStemsRequest, WriteStemsOutcome>((request, report) => writeStems(request, report));

import { serveThread } from '../../../platform/process/thread-main.ts';
import { type WriteStemsOutcome, type WriteStemsRequest, writeStems } from './write-stems.ts';

await serveThread<WriteStemsRequest, WriteStemsOutcome>((request, report) => writeStems(request, report));

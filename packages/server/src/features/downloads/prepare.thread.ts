import { serveThread } from '../../platform/process/thread-main.ts';
import { type PrepareRequest, prepareAudio } from './prepare-audio.ts';

await serveThread<PrepareRequest, Awaited<ReturnType<typeof prepareAudio>>>((request, report) =>
  prepareAudio(request, report),
);

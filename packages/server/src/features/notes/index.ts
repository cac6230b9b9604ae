import type { Feature } from '../../platform/feature.ts';
import { notesPart } from './account-part.ts';
import { notesRoutes } from './notes.routes.ts';
import { notesWorker } from './notes.worker.ts';

export { midiOf, programOf } from './midi-of.ts';
export { getReadableNotes } from './notes.service.ts';

/** Feature of notes transcribed from stems and songs. */
export const notes: Feature = {
  name: 'notes',
  routes: notesRoutes,
  workers: [notesWorker],
  accountParts: [notesPart],
};

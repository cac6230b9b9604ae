// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { midiOf } from './midi-of.ts';
export { transcribeNotes } from './transcribe-notes.ts';

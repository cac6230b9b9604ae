import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { TranscribedNote } from '@stem-studio/contract/resources/notes';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import type { NoteEvent } from '@stem-studio/dsp/notes/note-event';
import { createNoteListener } from '@stem-studio/dsp/notes/note-map';
import { notesIn } from '@stem-studio/dsp/notes/notes-in';
import { readEnd } from '../../platform/files/read-end.ts';
import { serveProcess } from '../../platform/process/serve-process.ts';

/** Request to the transcription process. */
export interface TranscribeRequest {
  /** Absolute path of an audio file. */
  readonly path: string;
  readonly maxDurationSeconds: number;
  readonly onsetThreshold: number;
  readonly frameThreshold: number;
  readonly minimumNoteSeconds: number;
  readonly isMonophonic: boolean;
}

/** Fraction of the work that is done once the last sample has been analysed. */
const READ_FRACTION = 0.97;
/** Frames per stored pitch bend, about 46 ms: a vibrato has six cycles a second. */
const FRAMES_A_BEND = 4;

/**
 * Transcribes the audio in one pass, then extracts the notes: `bytes → decode → network → notes`. Progress is a
 * fraction.
 */
serveProcess<TranscribeRequest, TranscribedNote[]>(
  async ({ path, maxDurationSeconds, ...options }, report) => {
    const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
    const { size } = await stat(path);
    const source = await openAudio(bytes, { maxDurationSeconds, readEnd: (count) => readEnd(path, count) });
    try {
      const { sample_rate, channels, declared_frames } = source.info;
      const listener = await createNoteListener({ sampleRate: sample_rate, channels });
      let samples = 0;
      for await (const block of source.blocks) {
        listener.push(block);
        samples += block[0]?.length ?? 0;
        // Not every format declares its length, so the file position serves otherwise.
        const readFraction = declared_frames ? samples / declared_frames : bytes.bytesRead / size;
        report(READ_FRACTION * Math.min(1, readFraction));
      }
      const notes = notesIn(listener.finish(), options).map(present);
      report(1);
      return notes;
    } finally {
      await source.close();
    }
  },
);

function present({ startSeconds, endSeconds, pitch, amplitude, bendsCents }: NoteEvent): TranscribedNote {
  const bends: number[] = [];
  for (let at = 0; at < bendsCents.length; at += FRAMES_A_BEND) {
    const part = bendsCents.slice(at, at + FRAMES_A_BEND);
    bends.push(Math.round(part.reduce((sum, cents) => sum + cents, 0) / part.length));
  }
  return {
    start_ms: Math.round(startSeconds * 1000),
    end_ms: Math.round(endSeconds * 1000),
    pitch,
    velocity: Math.max(1, Math.min(127, Math.round(amplitude * 127))),
    bends_cents: bends,
  };
}

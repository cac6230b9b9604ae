import { type TranscribedNote, transcribedNote } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { TranscribeRequest } from './transcribe-notes.process.ts';

/** Options of `transcribeNotes`. */
export interface TranscribeOptions extends TranscribeRequest {
  readonly signal: AbortSignal;
  /** Reports the analysed fraction of the audio. */
  readonly onProgress: (fraction: number) => void;
}

const detectedNotes = z.array(transcribedNote);

/**
 * Transcribes a file in a resource-limited process. Returns the notes by onset, each with its pitch bends. Rejects
 * with a message if the file is no audio or exceeds a limit, or with the signal's reason.
 */
export async function transcribeNotes({
  signal,
  onProgress,
  ...request
}: TranscribeOptions): Promise<TranscribedNote[]> {
  const found = await runInProcess<unknown>({
    module: new URL('./transcribe-notes.process.ts', import.meta.url),
    limits: decodingLimits('the recording', request.maxDurationSeconds),
    input: request satisfies TranscribeRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return detectedNotes.parse(found);
}

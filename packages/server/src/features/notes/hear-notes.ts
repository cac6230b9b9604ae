import { type TranscribedNote, transcribedNote } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { HearRequest } from './hear-notes.process.ts';

/** Options of `hearNotes`. */
export interface HearNotesOptions extends HearRequest {
  readonly signal: AbortSignal;
  /** Reports the analysed fraction of the audio. */
  readonly onProgress: (fraction: number) => void;
}

const heardNotes = z.array(transcribedNote);

/**
 * Transcribes a file in a resource-limited process. Returns the notes by onset, each with its pitch bends. Rejects
 * with a message if the file is no audio or exceeds a limit, or with the signal's reason.
 */
export async function hearNotes({
  signal,
  onProgress,
  ...request
}: HearNotesOptions): Promise<TranscribedNote[]> {
  const found = await runInProcess<unknown>({
    module: new URL('./hear-notes.process.ts', import.meta.url),
    limits: decodingLimits('the recording', request.maxDurationSeconds),
    input: request satisfies HearRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return heardNotes.parse(found);
}

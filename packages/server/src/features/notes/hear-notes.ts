import { type HeardNote, heardNote } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { decodingLimits } from '../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../platform/process/limited-process.ts';
import type { HearRequest } from './hear-notes.process.ts';

/** What `hearNotes` needs. */
export interface HearNotesOptions extends HearRequest {
  readonly signal: AbortSignal;
  /** How much has been heard, as a fraction. */
  readonly onProgress: (fraction: number) => void;
}

const heardNotes = z.array(heardNote);

/**
 * The notes of a file, by their beginnings, each with its bends; detected in a limited process. Rejects with a
 * sentence when it is no audio or passes a limit, or with the signal's reason.
 */
export async function hearNotes({ signal, onProgress, ...request }: HearNotesOptions): Promise<HeardNote[]> {
  const found = await runInProcess<unknown>({
    module: new URL('./hear-notes.process.ts', import.meta.url),
    limits: decodingLimits('the recording', request.maxDurationSeconds),
    input: request satisfies HearRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return heardNotes.parse(found);
}

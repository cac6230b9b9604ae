import { type HeardNote, heardNote } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { runInThread } from '../../platform/process/thread.ts';
import type { HearRequest } from './hear-notes.thread.ts';

/** What `hearNotes` needs. */
export interface HearNotesOptions extends HearRequest {
  readonly signal: AbortSignal;
  /** How much has been heard, as a fraction. */
  readonly onProgress: (fraction: number) => void;
}

const heardNotes = z.array(heardNote);

/**
 * The notes of a file, by their beginnings, each with its bends; heard in a thread of its own. Rejects with a sentence
 * when it is no sound, or with the signal's reason.
 */
export async function hearNotes({ signal, onProgress, ...request }: HearNotesOptions): Promise<HeardNote[]> {
  const found = await runInThread<unknown>({
    module: new URL('./hear-notes.thread.ts', import.meta.url),
    input: request satisfies HearRequest,
    signal,
    onProgress: (fraction) => onProgress(fraction as number),
  });
  return heardNotes.parse(found);
}

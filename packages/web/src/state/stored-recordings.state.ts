import { createStore } from 'zustand/vanilla';
import { heldRecordings } from '../client/recordings/recording-locks.ts';
import { openRecordingRoot } from '../client/recordings/recording-root.ts';
import {
  listRecordings,
  markRecordingSaved,
  readRecording,
  removeRecording,
  type StoredRecording,
} from '../client/recordings/stored-recordings.ts';
import { toastError } from './toasts.state.ts';

/** Recordings of earlier visits of a user to this browser. */
export interface StoredRecordings {
  readonly recordings: readonly StoredRecording[];
  /** Whether they are shown. */
  readonly isShown: boolean;
}

/** Recordings of earlier visits, without those of open pages. */
export const storedRecordings = createStore<StoredRecordings>(() => ({ recordings: [], isShown: false }));

/** Finds the recordings of earlier visits of a user, and shows them if one is not saved. */
export async function findStoredRecordings(userId: number): Promise<void> {
  const root = await openRecordingRoot();
  if (!root) return;
  const recordings = await listRecordings(root, userId, await heldRecordings());
  storedRecordings.setState({ recordings, isShown: recordings.some(({ isSaved }) => !isSaved) });
}

/** Shows or hides the recordings of earlier visits. */
export function showStoredRecordings(isShown: boolean): void {
  storedRecordings.setState({ isShown });
}

/** Opens the WAV file of a recording of an earlier visit. */
export async function openStoredRecording(id: string): Promise<Blob> {
  const root = await openRecordingRoot();
  if (!root) throw new Error('this browser has no private storage any more');
  return readRecording(root, id);
}

/** Notes that a recording was saved outside of this browser. */
export function noteRecordingSaved(id: string): void {
  storedRecordings.setState(({ recordings }) => ({
    recordings: recordings.map((one) => (one.id === id ? { ...one, isSaved: true } : one)),
  }));
  void change((root) => markRecordingSaved(root, id));
}

/** Removes a recording from this browser. */
export function forgetRecording(id: string): void {
  storedRecordings.setState(({ recordings, isShown }) => {
    const left = recordings.filter((one) => one.id !== id);
    return { recordings: left, isShown: isShown && left.length > 0 };
  });
  void change((root) => removeRecording(root, id));
}

/** Removes the recordings of earlier visits that were saved. */
export function forgetSavedRecordings(): void {
  for (const { id, isSaved } of storedRecordings.getState().recordings) if (isSaved) forgetRecording(id);
}

type Root = NonNullable<Awaited<ReturnType<typeof openRecordingRoot>>>;

async function change(make: (root: Root) => Promise<void>): Promise<void> {
  try {
    const root = await openRecordingRoot();
    if (root) await make(root);
  } catch (error) {
    toastError('Recording not changed', error instanceof Error ? error.message : String(error));
  }
}

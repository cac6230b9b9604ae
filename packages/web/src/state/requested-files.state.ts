import { createStore } from 'zustand/vanilla';
import { readTabStorage } from '../client/tab-storage.ts';

/** Keys under which this tab stores the mixes that it has requested. */
export const requestedFilesKeys = {
  exports: 'stem-studio.mix-exports',
  requests: 'stem-studio.mix-requests',
} as const;

const isStored = (key: string): boolean => {
  const stored = readTabStorage(key);
  return Array.isArray(stored) && stored.length > 0;
};

/** Whether this tab has requested a file since it was opened, or waited for one before a reload. */
export const requestedFiles = createStore<{ readonly hasAny: boolean }>(() => ({
  hasAny: Object.values(requestedFilesKeys).some(isStored),
}));

/** Notes that this tab has requested a file, so that the list of them is loaded. */
export function noteRequestedFile(): void {
  requestedFiles.setState({ hasAny: true });
}

import { recordingFiles } from '@stem-studio/audio/recording/recording-directory';

/** Returns whether this browser has ever kept a recording, without loading what reads them. */
export async function hasRecordingFolder(): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory();
    await root.getDirectoryHandle(recordingFiles.folder);
    return true;
  } catch {
    return false;
  }
}

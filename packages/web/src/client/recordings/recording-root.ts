import { type RecordingDirectory, recordingFiles } from '@stem-studio/audio/recording/recording-directory';

/** Opens the root of this browser's private storage; null where there is none, as on plain http. */
export async function openRecordingRoot(): Promise<RecordingDirectory | null> {
  try {
    return await navigator.storage.getDirectory();
  } catch {
    return null;
  }
}

/** Opens the folder of the recordings; null where none was ever kept. */
export async function recordingFolder(root: RecordingDirectory): Promise<RecordingDirectory | null> {
  return root.getDirectoryHandle(recordingFiles.folder).catch(() => null);
}

/** Returns whether this browser has ever kept a recording, without loading what reads them. */
export async function hasRecordingFolder(): Promise<boolean> {
  const root = await openRecordingRoot();
  return root !== null && (await recordingFolder(root)) !== null;
}

import {
  FRAME_BYTES,
  type RecordingDirectory,
  recordingFiles,
} from '@stem-studio/audio/recording/recording-directory';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { z } from 'zod';
import { type RecordedSong, recordedSongs } from '../../base/recorded-songs.ts';
import { recordingFolder } from './recording-root.ts';

/** A recording in the storage of this browser. */
export interface StoredRecording {
  readonly id: string;
  /** Time of its start in ms since 1970. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Whether the page was closed or crashed while it ran. */
  readonly isInterrupted: boolean;
  readonly isSaved: boolean;
  readonly songs: readonly RecordedSong[];
}

const description = z.object({
  version: z.literal(1),
  user_id: z.int(),
  started_at: z.number(),
  sample_rate_hz: z.number().positive(),
});
const note = z.object({
  seconds: z.number(),
  deck: z.enum(deckIds),
  song: z.object({ track_id: z.string(), title: z.string(), artist: z.string() }).nullable(),
});

async function namesIn(folder: RecordingDirectory): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const name of folder.keys()) names.add(name);
  return names;
}

async function textOf(folder: RecordingDirectory, name: string): Promise<string> {
  return (await (await folder.getFileHandle(name)).getFile()).text();
}

/** Returns the whole frames of a recording, segment by segment. */
async function audioOf(folder: RecordingDirectory, names: ReadonlySet<string>): Promise<Blob[]> {
  const segments = [...names].filter(recordingFiles.isSegment).sort();
  const files = await Promise.all(segments.map(async (name) => (await folder.getFileHandle(name)).getFile()));
  // A crash may have cut the last frame of the last segment.
  return files.map((file) => file.slice(0, file.size - (file.size % FRAME_BYTES)));
}

/** Parses notes line by line; a crash may have cut the last one. */
function parseNotes(text: string) {
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = note.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

interface OpenRecording {
  readonly info: z.infer<typeof description>;
  readonly folder: RecordingDirectory;
  readonly names: ReadonlySet<string>;
  readonly audio: readonly Blob[];
}

async function openRecording(root: RecordingDirectory, id: string): Promise<OpenRecording | null> {
  try {
    const folder = await (await recordingFolder(root))?.getDirectoryHandle(id);
    if (!folder) return null;
    const names = await namesIn(folder);
    const info = description.parse(JSON.parse(await textOf(folder, recordingFiles.description)));
    return { info, folder, names, audio: await audioOf(folder, names) };
  } catch {
    // Of another version, or damaged: nobody is offered what cannot be read.
    return null;
  }
}

/** Lists the recordings of a user in the order of their starts; those without audio are removed. */
export async function listRecordings(
  root: RecordingDirectory,
  userId: number,
  held: ReadonlySet<string> = new Set(),
): Promise<StoredRecording[]> {
  const folder = await recordingFolder(root);
  const ids = folder ? [...(await namesIn(folder))].filter((id) => !held.has(id)) : [];
  const found: StoredRecording[] = [];
  for (const id of ids) {
    const opened = await openRecording(root, id);
    if (!opened || opened.info.user_id !== userId) continue;
    const { info, names, audio } = opened;
    const bytes = audio.reduce((sum, part) => sum + part.size, 0);
    const seconds = bytes / FRAME_BYTES / info.sample_rate_hz;
    if (bytes === 0) {
      await removeRecording(root, id);
      continue;
    }
    const notes = names.has(recordingFiles.notes)
      ? parseNotes(await textOf(opened.folder, recordingFiles.notes))
      : [];
    found.push({
      id,
      startedAt: info.started_at,
      seconds,
      bytes,
      isInterrupted: !names.has(recordingFiles.finished),
      isSaved: names.has(recordingFiles.saved),
      songs: recordedSongs(notes, seconds),
    });
  }
  return found.sort((one, other) => one.startedAt - other.startedAt);
}

/**
 * Returns a recording as a 24-bit WAV file; beyond 4 GiB it is RF64. The samples stay on the disk.
 *
 * @throws Error if there is no such recording
 */
export async function readRecording(root: RecordingDirectory, id: string): Promise<Blob> {
  const opened = await openRecording(root, id);
  if (!opened) throw new Error('the recording is not in the storage of this browser any more');
  const frames = opened.audio.reduce((sum, part) => sum + part.size, 0) / FRAME_BYTES;
  return new Blob([wavHeaderOf(opened.info.sample_rate_hz, frames), ...opened.audio], { type: 'audio/wav' });
}

/** Returns the header of the WAV file of a recording. */
export function wavHeaderOf(sampleRate: number, frames: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createWavHeader({ sampleRate, channels: 2, bitDepth: '24' }, frames, false));
}

/** Marks a recording as saved outside of the browser's storage. */
export async function markRecordingSaved(root: RecordingDirectory, id: string): Promise<void> {
  const folder = await (await recordingFolder(root))?.getDirectoryHandle(id);
  await folder?.getFileHandle(recordingFiles.saved, { create: true });
}

/** Removes a recording; one that does not exist is no error. */
export async function removeRecording(root: RecordingDirectory, id: string): Promise<void> {
  await (await recordingFolder(root))?.removeEntry(id, { recursive: true }).catch(() => undefined);
}

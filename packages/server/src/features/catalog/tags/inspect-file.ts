import { runInProcess } from '../../../platform/process/limited-process.ts';
import { ProcessLimitError, type ProcessLimits } from '../../../platform/process/process-limits.ts';
import type { ParsedPlaylist } from '../folder/parse-playlist.ts';
import type {
  FileName,
  InspectAnswers,
  InspectedAudio,
  InspectedTags,
  InspectRequest,
} from './inspect.process.ts';
import { type TagProblem, tagsFromName } from './parse-tags.ts';

/**
 * Limits of the inspecting process. A small file is read in milliseconds; the result is at most a picture with its
 * texts.
 */
const limits: ProcessLimits = {
  subject: 'the file',
  memoryMb: 512,
  stallMs: 60_000,
  totalMs: 60_000,
  outputBytes: 17_500_000,
};

function inspect<Kind extends InspectRequest['kind']>(
  request: Extract<InspectRequest, { kind: Kind }>,
  signal: AbortSignal,
): Promise<InspectAnswers[Kind]> {
  return runInProcess<InspectAnswers[Kind]>({
    module: new URL('./inspect.process.ts', import.meta.url),
    input: request,
    limits,
    signal,
  });
}

/** Returns the audio file at an absolute path. */
export function fileAt(path: string): FileName {
  return { root: null, path };
}

/**
 * Reads the tags of a file in a limited process. Missing tags, or all of them when unreadable, are derived from `name`,
 * or stay empty where that is null; `problem` gives the reason. Rejects with the system's error where the file cannot
 * be opened, and with the signal's reason.
 */
export async function inspectTags(
  request: Omit<Extract<InspectRequest, { kind: 'tags' }>, 'kind'>,
  signal: AbortSignal,
): Promise<InspectedTags> {
  try {
    return await inspect({ kind: 'tags', ...request }, signal);
  } catch (error) {
    if (!(error instanceof ProcessLimitError)) throw error;
    const problem: TagProblem = { kind: 'limit', reason: error.message };
    return { tags: tagsFromName(request.name), problem, hasCover: false, unsupported: null };
  }
}

/** Decodes the beginning of a file in a limited process. Rejects as {@link inspectTags} does. */
export async function inspectAudio(file: FileName, signal: AbortSignal): Promise<InspectedAudio> {
  try {
    return await inspect({ kind: 'audio', file }, signal);
  } catch (error) {
    if (!(error instanceof ProcessLimitError)) throw error;
    return { unsupported: null, refused: error.message, isUnknown: false };
  }
}

/** Reads a playlist in a limited process. Rejects as {@link inspectTags} does, and when a limit is exceeded. */
export function inspectPlaylist(file: FileName, signal: AbortSignal): Promise<ParsedPlaylist> {
  return inspect({ kind: 'playlist', file }, signal);
}

/** Returns the warning of a track whose tags were not read; null where there is none. */
export function tagWarning(problem: TagProblem | null): string | null {
  return problem && `The tags could not be read: ${problem.reason}`;
}

import { createReadStream, createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { type ZipFile, zipStream } from '../zip-stream.ts';
import type { EditRendering } from './edit-rendering.ts';
import { type EditOutput, type EditRange, sharedLevel, type WrittenEdit, writeEdit } from './write-edit.ts';

/** Lanes of a project as files of a ZIP. */
export interface LanesRequest {
  readonly state: ProjectState;
  readonly range: EditRange;
  /** Format and level of the files, and the path of the ZIP. */
  readonly output: EditOutput;
  /** Folder for the files until they are in the ZIP. */
  readonly folder: string;
}

/**
 * Renders each audible lane of a project, with its channel strip and its part of the reverb, into a file of a ZIP. All have
 * the same length, and one gain if they are normalised: they add up to the mix.
 *
 * @spec Editor exports
 */
export async function writeLanes(
  rendering: EditRendering,
  { state, range, output, folder }: LanesRequest,
  onProgress: (fraction: number) => void,
): Promise<WrittenEdit> {
  const isSoloing = state.lanes.some(({ is_soloed }) => is_soloed);
  const audible = state.lanes.filter(({ is_muted, is_soloed }) => !is_muted && (is_soloed || !isSoloing));
  const parts = audible.length + (output.normalize === 'none' ? 0 : 1);
  let done = 0;
  const report = (fraction: number) => onProgress((done + fraction) / Math.max(1, parts));
  const shared = await sharedLevel(rendering, state, range, output.normalize, report);
  if (output.normalize !== 'none') done++;
  let peak = 0;
  const paths: string[] = [];
  for (const { id } of audible) {
    const lanes = state.lanes.map((lane) => ({ ...lane, is_soloed: lane.id === id }));
    const path = join(folder, `${id}.${output.format}`);
    const written = await writeEdit(
      rendering,
      { ...state, lanes },
      range,
      { ...output, path },
      report,
      shared,
    );
    peak = Math.max(peak, written.peak);
    paths.push(path);
    done++;
  }
  await pipeline(zipStream(filesOf(paths)), createWriteStream(output.path));
  return { frames: shared.frames, peak };
}

/** Yields the files, each of which is deleted when it is in the ZIP. */
async function* filesOf(paths: readonly string[]): AsyncGenerator<ZipFile> {
  for (const path of paths) {
    const { mtime } = await stat(path);
    yield { name: basename(path), modified: mtime, bytes: createReadStream(path) };
    await unlink(path);
  }
}

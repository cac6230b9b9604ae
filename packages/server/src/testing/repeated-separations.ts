import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SeparatorProgress, SeparatorRequest } from '@stem-studio/contract/separator';
import type { SeparatorOutcome } from '../features/processing/engines/run-separator.ts';
import type { SeparatorPool } from '../features/processing/engines/separator-pool.ts';

/** A complete separation, with copies of its stems. */
interface Known {
  readonly outcome: SeparatorOutcome & { readonly result: NonNullable<SeparatorOutcome['result']> };
  readonly progress: readonly SeparatorProgress[];
  /** Paths of the copies by stem type. */
  readonly copies: Readonly<Record<string, string>>;
}

/** Returns a text that two requests share if they give the same stems. */
async function keyOf(request: Omit<SeparatorRequest, 'stays'>): Promise<string> {
  const bytes = await readFile(request.input_path);
  const settings = JSON.stringify({ ...request, input_path: '', output_dir: '' });
  return `${createHash('sha256').update(bytes).digest('hex')} ${settings}`;
}

/** Copies stems to a folder and returns their paths there. */
async function copyStems(
  stems: Readonly<Record<string, string>>,
  folder: string,
): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true });
  const copied: Record<string, string> = {};
  for (const [stem, path] of Object.entries(stems)) {
    copied[stem] = join(folder, basename(path));
    await copyFile(path, copied[stem]);
  }
  return copied;
}

/**
 * Returns a pool that separates each song once: the same bytes with the same settings get copies of the first stems, the
 * same messages and the same result. A separation by networks, a refusal and a failure are not repeated. For tests that
 * only need stems; the separator itself is tested in its workspace and in `features/processing`.
 */
export function repeatSeparations(pool: SeparatorPool): SeparatorPool {
  const known = new Map<string, Known>();
  let folder: Promise<string> | undefined;
  const openFolder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'stem-studio-separations-'));
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  return {
    async separate(request, run) {
      if (request.weights) return pool.separate(request, run);
      const key = await keyOf(request);
      const first = known.get(key);
      if (first) {
        run.signal.throwIfAborted();
        for (const message of first.progress) run.report(message);
        const stems = await copyStems(first.copies, request.output_dir);
        run.signal.throwIfAborted();
        return { ...first.outcome, result: { ...first.outcome.result, stems } };
      }
      const progress: SeparatorProgress[] = [];
      const outcome = await pool.separate(request, {
        signal: run.signal,
        report(message) {
          progress.push(message);
          run.report(message);
        },
      });
      const { result } = outcome;
      if (result) {
        folder ??= openFolder();
        const copies = await copyStems(result.stems, await mkdtemp(join(await folder, 'song-')));
        known.set(key, { outcome: { ...outcome, result }, progress, copies });
      }
      return outcome;
    },
    close: () => pool.close(),
  };
}

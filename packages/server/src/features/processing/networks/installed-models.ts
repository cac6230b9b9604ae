import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { type InstalledModel, installedModel } from '@stem-studio/contract/separation-weights';
import { messageOf } from '../../../platform/errors.ts';

/** A model added by the operator, or why it cannot be used. */
export type FoundModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'installed'; readonly installed: InstalledModel }
  | { readonly kind: 'broken'; readonly why: string };

/** Returns the path of a model's record. */
export function recordPath(modelsDir: string, model: SeparationModelName): string {
  return join(modelsDir, `${model}.json`);
}

/** Reads the record of a model, and checks that its files exist in their recorded sizes. */
export async function findInstalledModel(modelsDir: string, model: SeparationModelName): Promise<FoundModel> {
  const path = recordPath(modelsDir, model);
  let installed: InstalledModel;
  try {
    installed = installedModel.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'none' };
    const why = (error as NodeJS.ErrnoException).code === undefined ? 'it is no record' : messageOf(error);
    return { kind: 'broken', why: `${path} cannot be read (${why}): add the model again` };
  }
  for (const file of installed.files) {
    const facts = await stat(join(modelsDir, file.path)).catch(() => null);
    if (facts?.size === file.bytes) continue;
    const found = facts ? `${facts.size} bytes` : 'nothing';
    return { kind: 'broken', why: `${file.path} must have ${file.bytes} bytes (got ${found}): add it again` };
  }
  return { kind: 'installed', installed };
}

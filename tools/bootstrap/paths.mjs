import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository's root. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folder of the project's own Node; ignored by git. */
export const runtimeFolder = path.join(root, '.runtime');

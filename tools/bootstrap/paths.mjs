import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository's root. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folder of Node's compile cache, where no other is set. Node does without it where it cannot write. */
export const compileCacheFolder = path.join(root, 'node_modules', '.cache', 'node-compile-cache');

/** Folder of the project's own Node; ignored by git. */
export const runtimeFolder = path.join(root, '.runtime');

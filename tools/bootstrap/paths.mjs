import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, absolute. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Where the project keeps a Node of its own; ignored by git. */
export const runtimeFolder = path.join(root, '.runtime');

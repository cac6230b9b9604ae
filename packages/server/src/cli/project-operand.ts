import { uuid } from '@stem-studio/contract/ids';
import { type Given, UsageError } from './command.ts';

/** Note of the commands whose operand is a project. */
export const projectNote = 'PROJECT is the id of a project, as GET /api/tracks/:id/projects lists it.';

/** Returns the id of a project from the first operand. Throws `UsageError`. */
export function projectIdOf(given: Given): string {
  const id = uuid.safeParse(given.operands[0]);
  if (!id.success) throw new UsageError(`PROJECT must be the id of a project (got ${given.operands[0]})`);
  return id.data;
}

import type { EditKind, EditOperation, IdentifiedEdit } from '../resources/edit-operation.ts';
import { identifiedEdit } from '../resources/edit-operation.ts';

/** Step of a log that undo and redo pass over or stop at. */
interface LoggedStep {
  readonly operation: EditKind;
}

const isAudible = ({ operation }: LoggedStep) => operation !== 'copy';

/**
 * Returns the position before the last operation that undo takes back: `copy`, which changes no audio, is passed over.
 * Null if there is nothing to undo. `operations[position]` of the result is the operation that is taken back.
 *
 * @param operations whole log
 * @param position number of operations that are applied
 */
export function undoPosition(operations: readonly LoggedStep[], position: number): number | null {
  const at = operations.slice(0, position).findLastIndex(isAudible);
  return at < 0 ? null : at;
}

/**
 * Returns the position after the next operation that redo applies again; null if there is none.
 * `operations[position - 1]` of the result is that operation.
 */
export function redoPosition(operations: readonly LoggedStep[], position: number): number | null {
  const at = operations.findIndex((step, index) => index >= position && isAudible(step));
  return at < 0 ? null : at + 1;
}

/** Returns an operation of a log as an edit that can be applied; null if its parameters are of an unknown form. */
export function editOf({ id, operation, params }: EditOperation): IdentifiedEdit | null {
  return identifiedEdit.safeParse({ id, operation, params }).data ?? null;
}

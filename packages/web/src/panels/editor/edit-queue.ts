import { editOf } from '@stem-studio/contract/projects/edit-history';
import {
  type EditKind,
  type EditOperation,
  type IdentifiedEdit,
  identifiedEdit,
} from '@stem-studio/contract/resources/edit-operation';

/** Change of a project that the service may not know yet: an operation, or an undo or redo to a position in the log. */
export type QueuedChange =
  | { readonly edit: IdentifiedEdit }
  | {
      /** Number of operations that are applied afterwards. */
      readonly position: number;
    };

/** Operation of the log as the page shows it. */
export interface LogStep {
  readonly id: string;
  readonly operation: EditKind;
  /** Null if its parameters are of an unknown form. */
  readonly edit: IdentifiedEdit | null;
}

/** A log, and the number of its operations that are applied. */
export interface EditLog {
  readonly steps: readonly LogStep[];
  readonly position: number;
}

/** Returns an operation of the service's log as a step. */
export function stepOf(operation: EditOperation): LogStep {
  return { id: operation.id, operation: operation.operation, edit: editOf(operation) };
}

/** Returns a log after changes that wait to be sent, as the service will have it if nothing else happens. */
export function withQueued(log: EditLog, queue: readonly QueuedChange[]): EditLog {
  return queue.reduce<EditLog>((before, change) => {
    if ('position' in change) {
      return { steps: before.steps, position: Math.min(change.position, before.steps.length) };
    }
    const { edit } = change;
    const steps = [
      ...before.steps.slice(0, before.position),
      { id: edit.id, operation: edit.operation, edit },
    ];
    return { steps, position: steps.length };
  }, log);
}

/** Returns the log after a push or a reply: operations are appended after `dropped` ones at its end were dropped. */
export function withAdded(
  { steps }: EditLog,
  added: readonly EditOperation[],
  { dropped, position }: { dropped: number; position: number },
): EditLog {
  return { steps: [...steps.slice(0, steps.length - dropped), ...added.map(stepOf)], position };
}

/**
 * Returns the changes that remain to be sent after the service's log has changed: without the operations that it has
 * now. An undo or redo that was meant for another log is dropped if somebody else's operations arrived.
 *
 * @param arrived ids of the operations that arrived
 */
export function rebased(queue: readonly QueuedChange[], arrived: ReadonlySet<string>): QueuedChange[] {
  const own = new Set(queue.flatMap((change) => ('edit' in change ? [change.edit.id] : [])));
  const hasOthers = [...arrived].some((id) => !own.has(id));
  return queue.filter((change) => ('edit' in change ? !arrived.has(change.edit.id) : !hasOthers));
}

/**
 * Greatest length of the operations of a request, as JSON: the service takes requests of 1 MB, and one operation on all
 * notes that it may name has less than 0.6 MB.
 */
const MOST_CHARACTERS = 400_000;

/** Returns the operations at the head of the queue that one request can append, at least the first. */
export function nextEdits(queue: readonly QueuedChange[], most: number): IdentifiedEdit[] {
  const edits: IdentifiedEdit[] = [];
  let characters = 0;
  for (const change of queue) {
    if (!('edit' in change) || edits.length === most) break;
    characters += JSON.stringify(change.edit).length;
    if (characters > MOST_CHARACTERS && edits.length > 0) break;
    edits.push(change.edit);
  }
  return edits;
}

/** Parses a queue that was kept in the browser; entries of another form are dropped. */
export function parseQueue(stored: unknown): QueuedChange[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown): QueuedChange[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    if ('position' in entry && Number.isInteger(entry.position))
      return [{ position: Number(entry.position) }];
    const edit = 'edit' in entry ? identifiedEdit.safeParse(entry.edit).data : undefined;
    return edit ? [{ edit }] : [];
  });
}

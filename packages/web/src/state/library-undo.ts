import { toast } from './toasts.state.ts';

/** How long a message offers Undo, in milliseconds. Ctrl+Z has no such limit. */
const OFFER_MS = 10_000;

/** Most steps that Ctrl+Z can undo. */
const MOST_STEPS = 100;

/** A step of the library that can be undone once. */
export interface UndoStep {
  readonly undo: () => Promise<unknown>;
  /** Whether it was undone in another way, or can no longer be undone. */
  readonly isOver?: () => boolean;
}

const steps: UndoStep[] = [];

/** Adds a step, which the next {@link undoLast} undoes. */
export function pushUndo(step: UndoStep): void {
  steps.push(step);
  if (steps.length > MOST_STEPS) steps.shift();
}

/** Removes a step and returns whether it was still there. */
export function takeUndo(step: UndoStep): boolean {
  const at = steps.indexOf(step);
  if (at >= 0) steps.splice(at, 1);
  return at >= 0;
}

/** Undoes the last step of the library; nothing without one. */
export async function undoLast(): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) {
    if (step.isOver?.()) continue;
    await step.undo();
    return;
  }
}

/** Reports a finished step with a button that undoes it; Ctrl+Z undoes it too, and after the message is gone. */
export function offerUndo(title: string, description: string, undo: UndoStep['undo']): void {
  const step: UndoStep = { undo };
  pushUndo(step);
  toast({
    title,
    description,
    isError: false,
    timeoutMs: OFFER_MS,
    action: {
      label: 'Undo',
      perform: () => {
        if (takeUndo(step)) void undo();
      },
    },
  });
}

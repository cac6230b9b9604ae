import type { Context } from '../../platform/context.ts';

const dayMs = 86_400_000;

/** Returns for how long a deleted track can be restored, in ms. */
export function trashMs({ config }: Pick<Context, 'config'>): number {
  return config.trashDays * dayMs;
}

/** Returns the time of deletion from which on a deleted track can still be restored. */
export function restorableSince(context: Pick<Context, 'config' | 'clock'>): Date {
  return new Date(context.clock.now().getTime() - trashMs(context));
}

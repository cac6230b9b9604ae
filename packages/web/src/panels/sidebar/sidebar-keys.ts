import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key on the focused item of the sidebar. */
export type SidebarAction =
  | { readonly do: 'focus'; readonly index: number }
  | { readonly do: 'open' | 'rename' | 'delete' | 'menu' }
  | { readonly do: 'move'; readonly by: -1 | 1 };

/** Returns the action of a key on item `index` of `count`, or null for every other key. */
export function sidebarActionOf(press: KeyPress, index: number, count: number): SidebarAction | null {
  const step = press.key === 'ArrowUp' ? -1 : press.key === 'ArrowDown' ? 1 : null;
  if (press.ctrlKey || press.metaKey) return null;
  if (press.altKey) return step === null ? null : { do: 'move', by: step };
  if (step !== null) return { do: 'focus', index: Math.min(count - 1, Math.max(0, index + step)) };
  switch (press.key) {
    case 'Home':
      return { do: 'focus', index: 0 };
    case 'End':
      return { do: 'focus', index: count - 1 };
    case 'Enter':
      return { do: 'open' };
    case 'F2':
      return { do: 'rename' };
    case 'Delete':
      return { do: 'delete' };
    case 'ContextMenu':
      return { do: 'menu' };
    case 'F10':
      return press.shiftKey ? { do: 'menu' } : null;
    default:
      return null;
  }
}

/**
 * Returns the position to which a crate moves when it is dropped before or after another, counted without it.
 *
 * @param from present position of the crate
 * @param over position of the crate that it is dropped on
 */
export function droppedPosition(from: number, over: number, isAfter: boolean): number {
  const gap = over + (isAfter ? 1 : 0);
  return gap > from ? gap - 1 : gap;
}

import type { Edit, EditKind } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { Selection } from './selection.ts';

/** Operations of keys and buttons that act on the selection. */
export type SelectionEdit =
  | Extract<EditKind, 'cut' | 'copy' | 'delete' | 'duplicate' | 'trim' | 'fade_in' | 'fade_out'>
  | 'split'
  | 'paste'
  | 'remove_time';

/**
 * Returns the operation of a key or button on a selection; null if it needs a span and there is none. Without a chosen
 * lane an operation is for all lanes.
 */
export function selectionEdit(
  operation: SelectionEdit,
  { cursorMs, span, lanes }: Selection,
  state: ProjectState,
): Edit | null {
  const isAll = lanes.length === 0 || lanes.length === state.lanes.length;
  const onLanes = isAll ? {} : { lanes: [...lanes] };
  if (operation === 'paste') {
    return state.clipboard ? { operation, params: { to_ms: cursorMs } } : null;
  }
  if (operation === 'split') return { operation, params: { start_ms: cursorMs, ...onLanes } };
  if (!span) return null;
  const params = { start_ms: span.startMs, end_ms: span.endMs };
  if (operation === 'remove_time') return { operation, params };
  return { operation, params: { ...params, ...onLanes } };
}

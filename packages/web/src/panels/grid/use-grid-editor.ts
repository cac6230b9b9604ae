import { editBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ApiError, errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { beatGridQuery } from '../../client/queries.ts';
import { toastError } from '../../state/toasts.state.ts';
import { GridEditor } from './grid-editor.ts';

/** Returns the editor of a track's grid, bound to the query cache. Failures are shown as a toast. */
export function useGridEditor(trackId: string): GridEditor {
  const client = useQueryClient();
  const editor = useMemo(() => {
    const { queryKey } = beatGridQuery(trackId);
    return new GridEditor({
      shown: () => client.getQueryData(queryKey) ?? null,
      send: async (body) => (await call(editBeatGrid, { params: { id: trackId }, body })).data,
      show(grid) {
        // A request from before this reply would return an older grid.
        void client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, grid);
      },
      fail(error) {
        toastError('The beat grid was not changed', errorText(error));
        if (error instanceof ApiError && error.status === 422) void client.invalidateQueries({ queryKey });
      },
    });
  }, [client, trackId]);
  useEffect(() => () => editor.flush(), [editor]);
  return editor;
}

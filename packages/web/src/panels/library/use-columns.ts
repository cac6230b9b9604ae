import { type RefObject, useMemo, useState } from 'react';
import { libraryColumns } from '../../state/library-columns.state.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { type Column, cardColumns, columnsThatFit, shownColumns } from './columns.ts';

/** Returns the columns of the list: those of a card on a phone, the chosen ones, or those that fit the element. */
export function useColumns(element: RefObject<HTMLElement | null>): readonly Column[] {
  const choice = useStore(libraryColumns, ({ columns }) => columns);
  const isNarrow = useIsNarrow();
  const [widthPx, setWidthPx] = useState(() => innerWidth);
  useScope(
    (scope) => {
      const measured = element.current;
      if (!measured) return;
      const measure = () => {
        // A hidden list has no width.
        if (measured.clientWidth > 0) setWidthPx(measured.clientWidth);
      };
      measure();
      scope.onResize(measured, measure);
    },
    [element],
  );
  return useMemo(
    () => (isNarrow ? cardColumns : choice ? shownColumns(choice) : columnsThatFit(widthPx)),
    [isNarrow, choice, widthPx],
  );
}

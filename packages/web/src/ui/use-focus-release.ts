import type { RefObject } from 'react';
import { useScope } from './use-scope.ts';

/**
 * Removes the focus when a button inside an element is pressed by pointer, so that Space continues to play or pause
 * instead of pressing the button again. Buttons that are reached by keyboard keep the focus.
 */
export function useFocusRelease(element: RefObject<HTMLElement | null>): void {
  useScope((scope) => {
    if (!element.current) return;
    scope.listen(element.current, 'mousedown', (event) => {
      if (!(event.target instanceof Element && event.target.closest('button'))) return;
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
  }, []);
}

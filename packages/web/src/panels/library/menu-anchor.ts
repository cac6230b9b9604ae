import type { MenuAnchor } from './use-row-dialogs.ts';

/** Returns the element at which a menu opens, or a point as an element without a size. */
export function anchorOf(anchor: MenuAnchor): Element | { getBoundingClientRect: () => DOMRect } {
  if (anchor instanceof Element) return anchor;
  const { x, y } = anchor;
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}

import type { MenuAnchor } from './use-row-dialogs.ts';

/** Where a menu opens, as properties of its positioner. */
interface AnchorProperties {
  readonly anchor: Element | { readonly getBoundingClientRect: () => DOMRect };
  readonly align: 'start' | 'end';
}

/** Returns where a menu opens: below the end of an element, or with its corner at a point. */
export function anchorOf(anchor: MenuAnchor): AnchorProperties {
  if (anchor instanceof Element) return { anchor, align: 'end' };
  const { x, y } = anchor;
  return { anchor: { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }, align: 'start' };
}

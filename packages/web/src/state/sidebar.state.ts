import type { Crate } from '@stem-studio/contract/resources/crate';
import { createStore } from 'zustand/vanilla';

/** A smart crate that is being created from a search, or whose search is edited. */
export type CrateDraft =
  | { readonly kind: 'new'; readonly query: string }
  | { readonly kind: 'edit'; readonly crate: Crate };

/** State of the sidebar beside the list of tracks. */
export interface Sidebar {
  /** Whether the drawer of a narrow page is open. */
  readonly isOpen: boolean;
  readonly draft: CrateDraft | null;
}

/** State of the sidebar. */
export const sidebar = createStore<Sidebar>(() => ({ isOpen: false, draft: null }));

/** Opens or closes the drawer of a narrow page. */
export function openSidebar(isOpen: boolean): void {
  sidebar.setState({ isOpen });
}

/** Opens the dialog of a smart crate; null closes it. */
export function draftCrate(draft: CrateDraft | null): void {
  sidebar.setState({ draft });
}

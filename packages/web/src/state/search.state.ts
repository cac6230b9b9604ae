import { createStore } from 'zustand/vanilla';

/** Text of the search field, and the search of the library that follows it. */
export interface SearchState {
  /** Text as typed: a search or a link. */
  readonly text: string;
  /** Search that the library shows; empty while the text is a link. */
  readonly query: string;
}

/** The search. A store, because the first visit shows the field on the page instead of in the header. */
export const search = createStore<SearchState>(() => ({ text: '', query: '' }));

/** Sets the text and searches the library for it at once. */
export function searchFor(query: string): void {
  search.setState({ text: query, query: query.trim() });
}

import { useCrates } from './crate-actions.ts';
import type { LibrarySource } from './route.state.ts';

const titles = { all: 'All tracks', recent: 'Recently added', history: 'History' } as const;

/** Returns the name of a source of the library; empty while the crates load. */
export function useSourceTitle(source: LibrarySource): string {
  const crates = useCrates();
  if (source.kind !== 'crate') return titles[source.kind];
  return crates.find(({ id }) => id === source.id)?.name ?? '';
}

import { Suspense } from 'react';
import { useCrates } from '../../state/crate-actions.ts';
import { goTo, route } from '../../state/route.state.ts';
import { openSidebar } from '../../state/sidebar.state.ts';
import { IconButton } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.ts';
import { useHasDrawer } from '../../ui/use-has-drawer.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './library-toolbar.module.css';
import type { LibraryList } from './use-library-list.ts';

// Only the DJ tab needs it, and it is a fifth of the script of the start.
const Select = lazy(() => import('../../ui/select.tsx').then((m) => ({ default: m.Select })));

/** Name of the list, with a button for the drawer on a narrow page. Beside the decks a select of all lists. */
export function SourceTitle({ list: { title, source } }: { list: LibraryList }) {
  const isBesideDecks = useStore(route, ({ tab }) => tab === 'dj');
  const hasDrawer = useHasDrawer();
  const crates = useCrates();
  if (isBesideDecks) {
    return (
      <Suspense fallback={<h2 className={styles['title']}>{title}</h2>}>
        <Select
          className={styles['source']}
          label="List"
          value={source.kind === 'crate' ? source.id : source.kind}
          options={[
            { value: 'all', label: 'All tracks' },
            { value: 'recent', label: 'Recently added' },
            ...crates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) =>
            goTo({
              source: value === 'all' || value === 'recent' ? { kind: value } : { kind: 'crate', id: value },
            })
          }
        />
      </Suspense>
    );
  }
  return (
    <>
      {hasDrawer && <IconButton small icon="sidebar" label="Lists" onClick={() => openSidebar(true)} />}
      <h2 className={styles['title']}>{title}</h2>
    </>
  );
}

import { type ReactNode, type RefObject, useState } from 'react';
import { djView } from '../state/decks/dj-view.ts';
import { goTo, type Tab } from '../state/route.state.ts';
import { IconButton } from '../ui/button.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Mark } from '../ui/mark.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './header.module.css';
import { SearchField } from './search-field.tsx';
import { useSearchKeys } from './use-search-keys.ts';

const UserMenu = lazy(() => import('./user-menu.tsx').then((m) => ({ default: m.UserMenu })));

/** Header of the page: mark and name, tabs, search, upload and the account menu. */
export function Header({
  isCovered,
  isFirstVisit,
  tab,
  email,
  isAdmin,
  jobCount,
  input,
  onFiles,
}: {
  /** Whether the open track covers the header. */
  isCovered: boolean;
  /** Whether the page of the first visit shows the search field instead. */
  isFirstVisit: boolean;
  tab: Tab;
  email: string;
  isAdmin: boolean;
  jobCount: number;
  /** The text field of the search, in the header or on the page of the first visit. */
  input: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly File[]) => void;
}) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const isNarrow = useIsNarrow();
  const view = useStore(djView, (state) => state.view);
  // The decks need the height of a phone.
  const isOverDecks = tab === 'dj' && isNarrow && view !== 'library';
  useSearchKeys(() => {
    // The DJ tab shows the list too.
    goTo({ tab: tab === 'dj' ? 'dj' : 'library', isTall: false });
    input.current?.focus();
    input.current?.select();
  });
  return (
    <header className={styles['header']}>
      <div className={styles['contents']} inert={isCovered}>
        <h1 className={styles['brand']}>
          <Mark />
          <span>Stem Studio</span>
        </h1>
        <nav className={styles['tabs']} aria-label="Main">
          <TabLink tab="library" current={tab}>
            Library
          </TabLink>
          <TabLink tab="dj" current={tab}>
            DJ
          </TabLink>
          <TabLink tab="daw" current={tab}>
            Editor
          </TabLink>
          <TabLink tab="jobs" current={tab}>
            Jobs
            <span className={styles['count']} data-some={jobCount > 0}>
              {jobCount}
              <span className="visually-hidden"> active</span>
            </span>
          </TabLink>
        </nav>
        <div className={styles['middle']}>
          {!isFirstVisit && !isOverDecks && <SearchField tab={tab} input={input} />}
        </div>
        <FileButton
          icon="upload"
          className={styles['upload']}
          title="Upload audio files or project archives"
          inputLabel="Audio files"
          accept="audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.aac,.ogg,.opus,.zip"
          multiple
          onFiles={onFiles}
        >
          <span>Upload</span>
        </FileButton>
        <IconButton
          icon="user"
          label="Account"
          aria-haspopup="menu"
          onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
        />
        {anchor && (
          <LazyPart name="The account menu" look="popup" onClose={() => setAnchor(null)}>
            <UserMenu email={email} isAdmin={isAdmin} anchor={anchor} onClose={() => setAnchor(null)} />
          </LazyPart>
        )}
      </div>
    </header>
  );
}

function TabLink({ tab, current, children }: { tab: Tab; current: Tab; children: ReactNode }) {
  return (
    <a
      className={styles['tab']}
      href={tab === 'library' ? '/' : `/?tab=${tab}`}
      aria-current={tab === current ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo({ tab, isTall: false });
      }}
    >
      {children}
    </a>
  );
}

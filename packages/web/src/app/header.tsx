import { lazy, type ReactNode, useRef, useState } from 'react';
import { goTo, type Tab } from '../state/route.state.ts';
import { IconButton } from '../ui/button.tsx';
import { inputClass } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { LazyPart } from '../ui/lazy-part.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './header.module.css';
import { useSearchKeys } from './use-search-keys.ts';

const SearchHelp = lazy(() =>
  import('../panels/library/search-help.tsx').then((m) => ({ default: m.SearchHelp })),
);
const UserMenu = lazy(() => import('./user-menu.tsx').then((m) => ({ default: m.UserMenu })));

/** Pause in typing after which the search runs, in milliseconds; the request of an earlier key is cancelled. */
const SEARCH_DELAY_MS = 30;

/** Header of the page: tabs, search and the account menu. */
export function Header({
  isCovered,
  tab,
  email,
  isAdmin,
  jobCount,
  search,
  onSearch,
}: {
  /** Whether the open track covers the header. */
  isCovered: boolean;
  tab: Tab;
  email: string;
  isAdmin: boolean;
  jobCount: number;
  search: string;
  onSearch: (query: string) => void;
}) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [helpAnchor, setHelpAnchor] = useState<Element | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const searchSoon = useDebounced(onSearch, SEARCH_DELAY_MS);
  useSearchKeys(() => {
    // The DJ tab shows the list too.
    goTo({ tab: tab === 'dj' ? 'dj' : 'library', isTall: false });
    input.current?.focus();
    input.current?.select();
  });
  return (
    <header className={styles['header']}>
      <h1 className="visually-hidden">Stem Studio</h1>
      <div className={styles['contents']} inert={isCovered}>
        <nav className={styles['tabs']} aria-label="Main">
          <TabLink tab="library" current={tab}>
            Library
          </TabLink>
          <TabLink tab="dj" current={tab}>
            DJ
          </TabLink>
          <TabLink tab="jobs" current={tab}>
            Jobs
            <span className={styles['count']} data-some={jobCount > 0}>
              {jobCount}
              <span className="visually-hidden"> active</span>
            </span>
          </TabLink>
        </nav>
        <div className={styles['search']} role="search">
          <Icon name="search" size={16} />
          <input
            ref={input}
            className={inputClass}
            type="search"
            aria-label="Search the library"
            placeholder="Search"
            maxLength={200}
            defaultValue={search}
            onChange={(event) => searchSoon(event.target.value.trim())}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.currentTarget.value = '';
              // Cancels the pending search for the previous text.
              searchSoon('');
              onSearch('');
              event.currentTarget.blur();
            }}
          />
          <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          <IconButton
            small
            icon="help"
            label="Search help"
            className={styles['help']}
            aria-haspopup="dialog"
            aria-expanded={helpAnchor !== null}
            onClick={(event) => setHelpAnchor(helpAnchor ? null : event.currentTarget)}
          />
        </div>
        {helpAnchor && (
          <LazyPart name="The search help" look="popup" onClose={() => setHelpAnchor(null)}>
            <SearchHelp
              anchor={helpAnchor}
              onTry={(query) => {
                setHelpAnchor(null);
                if (input.current) input.current.value = query;
                onSearch(query);
                input.current?.focus();
              }}
              onClose={() => setHelpAnchor(null)}
            />
          </LazyPart>
        )}
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

import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { isLink } from '../panels/import/link-text.ts';
import { goTo, type Tab } from '../state/route.state.ts';
import { search, searchFor } from '../state/search.state.ts';
import { toast } from '../state/toasts.state.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { inputClass } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { importText } from '../ui/import-text.ts';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './search-field.module.css';

const SearchHelp = lazy(() =>
  import('../panels/library/search-help.tsx').then((m) => ({ default: m.SearchHelp })),
);
const SearchResults = lazy(() => import('./search-results.tsx').then((m) => ({ default: m.SearchResults })));

/** Pause in typing after which the library is filtered, in ms. */
const SEARCH_DELAY_MS = 10;
/** Time that the result of an imported link is shown, in ms. */
const RESULT_MS = 8000;

const filterLibrary = (query: string) => search.setState({ query });

/**
 * The search field of the page: filters the library, lists results of the library and the catalog below it, and imports
 * a pasted link.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function SearchField({
  tab,
  input,
  isLarge = false,
}: {
  tab: Tab;
  input: RefObject<HTMLInputElement | null>;
  /** Whether it stands on the page of the first visit instead of in the header. */
  isLarge?: boolean;
}) {
  const text = useStore(search, (state) => state.text);
  const isNarrow = useIsNarrow();
  const listId = useId();
  const answerId = useId();
  const root = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState('');
  const [helpAnchor, setHelpAnchor] = useState<Element | null>(null);
  const filterSoon = useDebounced(filterLibrary, SEARCH_DELAY_MS);
  const link = isLink(text.trim()) ? text.trim() : null;
  const request = useMutation({
    mutationFn: (url: string) => call(importCatalog, { body: { url } }),
    onSuccess: ({ data }) => {
      searchFor('');
      toast({
        title: importText(data),
        description: '',
        isError: false,
        timeoutMs: RESULT_MS,
        action: null,
      });
    },
  });
  const importLink = useCallback(
    (url: string) => {
      if (!request.isPending) request.mutate(url);
    },
    [request],
  );
  // The library has songs now: they are listed without the search that found them in the catalog.
  useEffect(() => (isLarge ? () => searchFor('') : undefined), [isLarge]);
  const close = useCallback(() => {
    setIsOpen(false);
    setActive('');
  }, []);
  const type = (typed: string) => {
    search.setState({ text: typed });
    filterSoon(isLink(typed.trim()) ? '' : typed.trim());
    if (!request.isIdle && !request.isPending) request.reset();
    setActive('');
    setIsOpen(true);
  };
  const clear = () => {
    // Cancels the pending search for the previous text.
    filterSoon('');
    searchFor('');
    request.reset();
  };
  const optionsOf = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])];
  const move = (step: 1 | -1) => {
    const options = optionsOf();
    const now = options.findIndex(({ id }) => id === active);
    // One position before the first option is the field itself.
    const next = options[((now + 1 + step + options.length + 1) % (options.length + 1)) - 1];
    setActive(next?.id ?? '');
    next?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isShown) move(event.key === 'ArrowDown' ? 1 : -1);
      else setIsOpen(true);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = isShown ? optionsOf().find(({ id }) => id === active) : undefined;
      if (chosen) chosen.click();
      else if (link !== null) importLink(link);
      else {
        close();
        if (tab !== 'dj') goTo({ tab: 'library', isTall: false });
      }
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isShown) close();
      else {
        clear();
        event.currentTarget.blur();
      }
    } else if (event.key === 'Tab') close();
  };
  // On the DJ tab it would cover the decks; a link is imported there too.
  const isShown = isOpen && (tab !== 'dj' || link !== null);
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <div ref={root} className={styles['search']} role="search" data-large={isLarge}>
      <div className={styles['field']}>
        <Icon name="search" size={16} />
        <input
          ref={input}
          className={inputClass}
          type="text"
          role="combobox"
          aria-label="Search the library and the catalog"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active !== '' ? active : undefined}
          aria-invalid={request.isError}
          aria-describedby={request.isError ? answerId : undefined}
          placeholder={
            isNarrow
              ? 'Search or paste a link'
              : 'Search the library and the catalog, paste a link or drop files'
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint={link === null ? 'search' : 'go'}
          maxLength={2048}
          value={text}
          onChange={(event) => type(event.target.value)}
          onClick={() => setIsOpen(true)}
          onBlur={(event) => {
            if (!root.current?.contains(event.relatedTarget)) close();
          }}
          onKeyDown={onKey}
        />
        <span className={styles['end']}>
          {link === null ? (
            <>
              {text === '' && !isLarge && <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>}
              <IconButton
                small
                icon="help"
                label="Search help"
                aria-haspopup="dialog"
                aria-expanded={helpAnchor !== null}
                onClick={(event) => {
                  close();
                  setHelpAnchor(helpAnchor ? null : event.currentTarget);
                }}
              />
            </>
          ) : (
            <Button small look="primary" disabled={request.isPending} onClick={() => importLink(link)}>
              {request.isPending ? 'Importing…' : 'Import link'}
            </Button>
          )}
        </span>
      </div>
      {(isShown || request.isError) && (
        // A press in the list keeps the focus in the field.
        <div
          role="presentation"
          className={styles['popover']}
          onMouseDown={(event) => event.preventDefault()}
        >
          {request.isError && (
            <p id={answerId} role="alert" className={styles['error']}>
              {errorText(request.error)}
            </p>
          )}
          {isShown && (
            <LazyPart name="The search results" look="popup">
              <SearchResults
                id={listId}
                text={text.trim()}
                link={link}
                active={active}
                onImportLink={importLink}
                onClose={close}
              />
            </LazyPart>
          )}
        </div>
      )}
      {helpAnchor && (
        <LazyPart name="The search help" look="popup" onClose={() => setHelpAnchor(null)}>
          <SearchHelp
            anchor={helpAnchor}
            onTry={(query) => {
              setHelpAnchor(null);
              filterSoon(query);
              searchFor(query);
              input.current?.focus();
            }}
            onClose={() => setHelpAnchor(null)}
          />
        </LazyPart>
      )}
    </div>
  );
}

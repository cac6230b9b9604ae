import type { listPlayedSets } from '@stem-studio/contract/endpoints/plays';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { countText } from '../../base/format.ts';
import { playedSetSpan, playedSetTitle, timeOfDay } from '../../base/played-set-text.ts';
import { errorText } from '../../client/api-error.ts';
import { playedSetsQuery } from '../../client/crate-queries.ts';
import { createCrateWith } from '../../state/crate-actions.ts';
import { goTo } from '../../state/route.state.ts';
import { openSidebar } from '../../state/sidebar.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useHasDrawer } from '../../ui/use-has-drawer.ts';
import styles from './history-panel.module.css';

type PlayedSet = z.infer<typeof listPlayedSets.reply>['data'][number];

const sources = { deck_a: 'Deck A', deck_b: 'Deck B', player: 'Player' } as const;

/** Played sets, the newest first; each opens its tracks with their times. */
export function HistoryPanel() {
  const sets = useInfiniteQuery(playedSetsQuery());
  const hasDrawer = useHasDrawer();
  const all = sets.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className={styles['panel']} aria-label="History">
      <div className={styles['bar']}>
        {hasDrawer && <IconButton small icon="sidebar" label="Lists" onClick={() => openSidebar(true)} />}
        <h2>History</h2>
        <p role="status">
          {sets.isPending ? 'Loading sets' : countText(sets.data?.pages[0]?.meta.total_count ?? 0, 'set')}
        </p>
      </div>
      {sets.isError && (
        <Notice
          icon="warning"
          title="The history could not be loaded"
          isError
          actions={<Button onClick={() => void sets.refetch()}>Retry</Button>}
        >
          {errorText(sets.error)}
        </Notice>
      )}
      {sets.isSuccess && all.length === 0 && (
        <Notice icon="undo" title="No sets yet">
          A track is listed here when it has been played for half a minute on a deck or in the player.
        </Notice>
      )}
      <ul className={styles['sets']}>
        {all.map((set, index) => (
          <SetItem key={set.started_at} set={set} isFirst={index === 0} />
        ))}
      </ul>
      {sets.hasNextPage && (
        <Button className={styles['older']} onClick={() => void sets.fetchNextPage()}>
          Older sets
        </Button>
      )}
    </section>
  );
}

function SetItem({ set, isFirst }: { set: PlayedSet; isFirst: boolean }) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(isFirst);
  const title = playedSetTitle(set.started_at);
  const tracks = set.plays.flatMap(({ track_id, title: name }) =>
    track_id === null ? [] : [{ id: track_id, title: name }],
  );
  const save = async () => {
    const crate = await createCrateWith(client, `Set of ${title}`, tracks);
    if (crate) goTo({ source: { kind: 'crate', id: crate.id } });
  };
  return (
    <li className={styles['set']}>
      <div className={styles['head']}>
        <button
          type="button"
          className={styles['open']}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'next'} size={14} />
          <span className={styles['date']}>{title}</span>
          <span className={styles['facts']}>
            {playedSetSpan(set.started_at, set.ended_at)} · {countText(set.plays.length, 'track')}
          </span>
        </button>
        <Button small icon="crate" disabled={tracks.length === 0} onClick={() => void save()}>
          Save as crate
        </Button>
      </div>
      {isOpen && (
        <ol className={styles['plays']} aria-label={`Tracks of ${title}`}>
          {set.plays.map((play) => (
            <li key={play.id}>
              <time dateTime={play.played_at}>{timeOfDay(play.played_at)}</time>
              {play.track_id === null ? (
                <span className={styles['gone']}>{play.title}</span>
              ) : (
                <button type="button" onClick={() => goTo({ track: play.track_id })}>
                  {play.title}
                </button>
              )}
              <span>{play.artist}</span>
              <span>{sources[play.source]}</span>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type KeyboardEvent, useRef } from 'react';
import type { DrawablePeaks } from '../client/peaks-query.ts';
import { PlayerStatus } from '../panels/track/player-status.tsx';
import { goTo, route, type TrackPanel, trackPanels } from '../state/route.state.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './track-tabs.module.css';

const names: Readonly<Record<TrackPanel, string>> = {
  mix: 'Mix',
  grid: 'Grid & cues',
  notes: 'Notes',
  analysis: 'Analysis',
};

/** Id of the element that shows the content of the selected tab. */
export const trackPanelId = 'track-panel';

/** Returns the id of a tab, which names its panel. */
export function trackTabId(panel: TrackPanel): string {
  return `track-tab-${panel}`;
}

/** Tabs of the track page, and beside them the position in the song. */
export function TrackTabs({ player, peaks }: { player: SongPlayer | null; peaks: DrawablePeaks | null }) {
  const panel = useStore(route, (state) => state.panel);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = trackPanels.indexOf(panel);
    const last = trackPanels.length - 1;
    const next = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    }[event.key];
    const name = trackPanels[next ?? -1];
    if (name === undefined) return;
    // Otherwise the player would seek.
    event.preventDefault();
    goTo({ panel: name });
    list.current?.querySelector<HTMLElement>(`#${trackTabId(name)}`)?.focus();
  };
  return (
    <div className={styles['row']}>
      <div ref={list} className={styles['tabs']} role="tablist" aria-label="Track">
        {trackPanels.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={trackTabId(name)}
            className={styles['tab']}
            aria-selected={name === panel}
            aria-controls={trackPanelId}
            tabIndex={name === panel ? 0 : -1}
            onClick={() => goTo({ panel: name })}
            onKeyDown={onKeyDown}
          >
            {names[name]}
          </button>
        ))}
      </div>
      {player && <PlayerStatus player={player} peaks={peaks} />}
    </div>
  );
}

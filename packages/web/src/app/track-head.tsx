import { TrackExports } from '../panels/track/export-menu.tsx';
import { TrackFacts } from '../panels/track/track-facts.tsx';
import { TrackWork } from '../panels/track/track-work.tsx';
import { goTo, route } from '../state/route.state.ts';
import type { TrackActions } from '../state/track-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { Cover } from '../ui/cover.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './track-page.module.css';
import type { OpenTrack } from './use-open-track.ts';

/** Head of the track page: cover, title, key figures, jobs and downloads, and the size of the page. */
export function TrackHead({ open, actions }: { open: OpenTrack; actions: TrackActions }) {
  const { track, analysis, stems, isAnalysisKnown } = open;
  const isTall = useStore(route, (state) => state.isTall);
  return (
    <div className={styles['head']}>
      <Cover url={track?.album_art_url ?? null} />
      <div className={styles['names']}>
        <h2 title={track?.title}>{track?.title ?? 'Loading…'}</h2>
        <p>{track ? [track.artist, track.album].filter((part) => part !== '').join(' · ') || '–' : ''}</p>
      </div>
      {track && (
        <>
          <TrackFacts track={track} recorded={open.recorded} analysis={analysis} />
          <TrackWork
            track={track}
            hasAnalysis={analysis !== null}
            isAnalysisKnown={isAnalysisKnown}
            actions={actions}
          />
          <TrackExports
            track={track}
            stems={stems}
            comparison={open.comparison}
            hasAnalysis={analysis !== null}
          />
        </>
      )}
      <IconButton
        icon={isTall ? 'down' : 'up'}
        label={isTall ? 'Collapse player' : 'Expand player'}
        className={styles['grow']}
        aria-pressed={isTall}
        onClick={() => goTo({ isTall: !isTall })}
      />
      <IconButton
        icon="close"
        label="Close player"
        className={styles['close']}
        onClick={() => goTo({ track: null })}
      />
    </div>
  );
}

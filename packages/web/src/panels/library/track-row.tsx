import type { Track } from '@stem-studio/contract/resources/track';
import { lazy, memo, type Ref, Suspense } from 'react';
import { bpmText, clockText } from '../../base/format.ts';
import { keyColor, keyText } from '../../base/key-text.ts';
import { played } from '../../state/played.state.ts';
import { hasReference, references } from '../../state/reference.state.ts';
import { goTo } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { currentJob } from '../../ui/job-text.ts';
import { StemDots } from '../../ui/stem-dots.tsx';
import { startTrackDrag } from '../../ui/track-drag.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './library-panel.module.css';
import { PlayedMark } from './played-mark.tsx';
import { WaveformStrip } from './waveform-strip.tsx';

/** Loaded with the first reference track. */
const RowFit = lazy(() => import('./row-fit.tsx').then((m) => ({ default: m.RowFit })));

interface TrackRowProps {
  ref: Ref<HTMLDivElement> | undefined;
  track: Track;
  index: number;
  top: number;
  isActive: boolean;
  isOpen: boolean;
  isScrolling: boolean;
  actions: TrackActions;
  onActivate: (index: number) => void;
  onMenu: (track: Track, anchor: Element) => void;
  onPlay: (trackId: string) => void;
}

/** One track of the library; a card on a phone. Rerenders only when its props change. */
export const TrackRow = memo(function TrackRow(props: TrackRowProps) {
  const { ref, track, index, top, isActive, isOpen, isScrolling, actions, onActivate, onMenu, onPlay } =
    props;
  const job = currentJob(track);
  const isPlayed = useStore(played, ({ ids }) => ids.has(track.id));
  const isCompared = useStore(references, hasReference);
  const open = () => {
    onActivate(index);
    goTo({ track: track.id });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys of its rows
    <div
      ref={ref}
      className={styles['row']}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      draggable={track.audio !== null}
      onDragStart={(event) => startTrackDrag(event, [track])}
      onFocus={() => onActivate(index)}
      onDoubleClick={() => onPlay(track.id)}
      onClick={(event) => {
        if (!(event.target as Element).closest('button, a')) open();
      }}
    >
      <div role="gridcell" data-column="cover">
        <button
          type="button"
          className={styles['play']}
          tabIndex={-1}
          aria-label={`Play ${track.title}`}
          disabled={!track.audio}
          onClick={() => onPlay(track.id)}
        >
          <Cover url={track.album_art_url} />
        </button>
      </div>
      <div role="gridcell" data-column="title" title={track.title} data-drag-image>
        <span className={styles['name']} data-played={isPlayed}>
          {isPlayed && <PlayedMark />}
          {track.title}
        </span>
        {track.album !== '' && <span className={styles['album']}>{track.album}</span>}
      </div>
      <div role="gridcell" data-column="artist" title={track.artist}>
        {track.artist || '–'}
      </div>
      <div role="gridcell" data-column="wave">
        <WaveformStrip path={track.audio?.peaks_path ?? null} isHurried={isScrolling} />
      </div>
      <div role="gridcell" data-column="bpm" data-empty={track.bpm === null}>
        {bpmText(track.bpm)}
        {track.bpm !== null && <span className={styles['unit']}> BPM</span>}
      </div>
      <div role="gridcell" data-column="key" data-empty={track.key === ''}>
        {track.key === '' ? (
          '–'
        ) : (
          <>
            <span className={styles['camelot']} style={{ color: keyColor(track.camelot) }}>
              {track.camelot}
            </span>{' '}
            {keyText(track.key)}
          </>
        )}
        {isCompared && (
          <Suspense fallback={null}>
            <RowFit track={track} />
          </Suspense>
        )}
      </div>
      <div role="gridcell" data-column="time">
        {track.duration > 0 ? clockText(track.duration) : '–'}
      </div>
      <div role="gridcell" data-column="tags" title={track.tags.join(', ')}>
        {track.tags.slice(0, 3).map((tag) => (
          <span key={tag} className={styles['tag']}>
            {tag}
          </span>
        ))}
        {track.tags.length > 3 && <span className={styles['more']}>+{track.tags.length - 3}</span>}
      </div>
      <div role="gridcell" data-column="state">
        {job ? (
          <JobLine job={job} trackTitle={track.title} actions={actions} isInGrid />
        ) : (
          <RowRest track={track} actions={actions} />
        )}
      </div>
      <div role="gridcell" data-column="actions">
        <IconButton
          small
          icon="more"
          tabIndex={-1}
          label={`Actions for ${track.title}`}
          aria-haspopup="menu"
          onClick={(event) => onMenu(track, event.currentTarget)}
        />
      </div>
    </div>
  );
});

/** Last column of a track without a job: its stems, or a button to get them. */
function RowRest({ track, actions }: { track: Track; actions: TrackActions }) {
  if (!track.audio && track.download) {
    return (
      <span className={styles['rest']}>
        <span>Import cancelled</span>
        <Button
          small
          icon="retry"
          tabIndex={-1}
          onClick={() => void actions.retry(track.download?.job_id ?? '')}
        >
          Retry
        </Button>
      </span>
    );
  }
  return (
    <span className={styles['rest']}>
      <StemDots isReady={track.stems_job_id !== null} />
      {track.audio && track.stems_job_id === null && (
        <IconButton
          small
          icon="split"
          tabIndex={-1}
          label={`Separate ${track.title} into stems`}
          onClick={() => void actions.separate(track)}
        />
      )}
    </span>
  );
}

/** Placeholder of a row that is loading. */
export function SkeletonRow({ top }: { top: number }) {
  return (
    <div className={styles['row']} aria-hidden="true" style={{ transform: `translateY(${top}px)` }}>
      <span className={styles['ghost']} data-column="cover" />
      <span className={styles['ghost']} data-column="title" />
      <span className={styles['ghost']} data-column="artist" />
    </div>
  );
}

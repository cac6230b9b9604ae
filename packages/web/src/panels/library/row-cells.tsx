import type { Track } from '@stem-studio/contract/resources/track';
import { type ReactNode, Suspense } from 'react';
import { dateText } from '../../base/date-text.ts';
import { bpmText, clockText, loudnessText } from '../../base/format.ts';
import { keyColor, keyText } from '../../base/key-text.ts';
import { modelLabel } from '../../base/separation-text.ts';
import type { ColumnId } from '../../state/library-columns.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { currentJob } from '../../ui/job-text.ts';
import { lazy } from '../../ui/lazy.ts';
import { StemDots } from '../../ui/stem-dots.tsx';
import { PlayedMark } from './played-mark.tsx';
import { RatingStars } from './rating-stars.tsx';
import styles from './row-cells.module.css';
import { WaveformStrip } from './waveform-strip.tsx';

/** Loaded with the first reference track. */
const RowFit = lazy(() => import('./row-fit.tsx').then((m) => ({ default: m.RowFit })));

/** What the cells of a row show and do. */
export interface CellProps {
  readonly track: Track;
  readonly isPlayed: boolean;
  /** Whether there is a reference track to compare with. */
  readonly isCompared: boolean;
  readonly actions: TrackActions;
  readonly onRate: (track: Track, stars: number) => void;
}

/** Tags shown in a row; the others are counted. */
const SHOWN_TAGS = 3;

/** Content of each column's cell. */
const cells: Readonly<Record<ColumnId, (props: CellProps) => ReactNode>> = {
  title: ({ track, isPlayed }) => (
    <span className={styles['name']} data-played={isPlayed}>
      {isPlayed && <PlayedMark />}
      {track.title}
    </span>
  ),
  artist: ({ track }) => track.artist || '–',
  album: ({ track }) => track.album || '–',
  wave: ({ track }) => <WaveformStrip path={track.audio?.peaks_path ?? null} />,
  bpm: ({ track }) => (
    <>
      {bpmText(track.bpm)}
      {track.bpm !== null && <span className={styles['unit']}> BPM</span>}
    </>
  ),
  key: (props) => <KeyCell {...props} />,
  time: ({ track }) => (track.duration > 0 ? clockText(track.duration) : '–'),
  rating: ({ track, onRate }) => <RatingStars track={track} onRate={onRate} />,
  tags: ({ track: { tags } }) => (
    <>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <span key={tag} className={styles['tag']}>
          {tag}
        </span>
      ))}
      {tags.length > SHOWN_TAGS && <span className={styles['more']}>+{tags.length - SHOWN_TAGS}</span>}
    </>
  ),
  state: (props) => <StateCell {...props} />,
  genre: ({ track }) => track.genre || '–',
  year: ({ track }) => track.year ?? '–',
  plays: ({ track }) => track.play_count,
  played: ({ track }) => dateText(track.last_played_at),
  added: ({ track }) => dateText(track.created_at),
  comment: ({ track }) => track.comment || '–',
  loudness: ({ track }) => loudnessText(track.loudness_lufs),
  model: ({ track: { separation_model: model } }) =>
    model === null ? '–' : model === 'cloud' ? 'Cloud' : modelLabel(model),
};

/** Tooltips of cells whose text may be cut. */
const tooltips: Partial<Record<ColumnId, (track: Track) => string>> = {
  title: ({ title }) => title,
  artist: ({ artist }) => artist,
  album: ({ album }) => album,
  genre: ({ genre }) => genre,
  tags: ({ tags }) => tags.join(', '),
  comment: ({ comment }) => comment,
};

/** Values that a card on a phone leaves out. */
const isEmpty: Partial<Record<ColumnId, (track: Track) => boolean>> = {
  bpm: ({ bpm }) => bpm === null,
  key: ({ key }) => key === '',
};

/** Columns whose cells have more than a text. */
const richColumns: readonly ColumnId[] = ['wave', 'rating', 'tags', 'state'];

/** Whether the cells of a column have only a text. */
export function isText(id: ColumnId): boolean {
  return !richColumns.includes(id);
}

/** One cell of a row. */
export function RowCell({ id, ...props }: CellProps & { readonly id: ColumnId }) {
  const { track } = props;
  return (
    <div
      role="gridcell"
      data-column={id}
      data-empty={isEmpty[id]?.(track)}
      data-drag-image={id === 'title' ? '' : undefined}
      title={tooltips[id]?.(track)}
    >
      {cells[id](props)}
    </div>
  );
}

function KeyCell({ track, isCompared }: CellProps) {
  return (
    <span className={styles['key']} data-compared={isCompared}>
      {track.key === '' ? (
        '–'
      ) : (
        <>
          <span className={styles['camelot']} style={{ color: keyColor(track.camelot) }}>
            {track.camelot}
          </span>{' '}
          <span className={styles['spelled']}>{keyText(track.key)}</span>
        </>
      )}
      {isCompared && (
        <Suspense fallback={null}>
          <RowFit track={track} />
        </Suspense>
      )}
    </span>
  );
}

/** Job of a track, or its stems, or a button to get them. */
function StateCell({ track, actions }: CellProps) {
  const job = currentJob(track);
  if (job) return <JobLine job={job} trackTitle={track.title} actions={actions} isInGrid />;
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

import type { Separation } from '@stem-studio/contract/resources/separation';
import type { Track } from '@stem-studio/contract/resources/track';
import { useState } from 'react';
import { bytesText } from '../../base/format.ts';
import {
  makerText,
  separationCostText,
  separationLetter,
  separationName,
} from '../../base/separation-text.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import part from '../../ui/track-part.module.css';
import type { Comparison } from './comparison.ts';
import styles from './separations-panel.module.css';

const dateText = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The separations of a track: what made each, when, how long it took and its size; choose the default, delete one. */
export function SeparationsPanel({
  track,
  comparison,
  actions,
}: {
  track: Track;
  comparison: Comparison;
  actions: Pick<TrackActions, 'setDefaultSeparation' | 'removeSeparation'>;
}) {
  const { list, selected } = comparison;
  const [deleting, setDeleting] = useState<Separation | null>(null);
  const hasChoice = list.length > 1 || comparison.offersSong;
  const bytes = list.reduce((sum, separation) => sum + separation.bytes, 0);
  return (
    <section className={part['part']} aria-label="Separations">
      <div className={part['head']}>
        <h3>Separations</h3>
        <p>{list.length > 1 ? `${bytesText(bytes)} in total` : ''}</p>
      </div>
      <ul className={styles['list']}>
        {list.map((separation, index) => {
          const name = separationName(separation);
          const isPlayed = selected?.job_id === separation.job_id;
          const isDefault = track.stems_job_id === separation.job_id;
          return (
            <li key={separation.job_id} className={styles['item']} data-played={isPlayed}>
              <span className={styles['letter']} aria-hidden="true">
                {separationLetter(index)}
              </span>
              <div className={styles['facts']}>
                <p className={styles['name']}>
                  {name} {isDefault && <span className={styles['badge']}>Default</span>}
                </p>
                <p>
                  {makerText(separation)} · {dateText.format(new Date(separation.created_at))}
                </p>
                <p>{separationCostText(separation)}</p>
              </div>
              <div className={styles['tools']}>
                {hasChoice && (
                  <Button
                    small
                    aria-pressed={isPlayed}
                    aria-label={`Play ${name}`}
                    onClick={() => comparison.select(separation.job_id)}
                  >
                    {isPlayed ? 'Selected' : 'Select'}
                  </Button>
                )}
                {!separation.preview && !isDefault && (
                  <Button
                    small
                    title="Use on decks and for exports"
                    aria-label={`Use ${name} by default`}
                    onClick={() => void actions.setDefaultSeparation(track, separation.job_id)}
                  >
                    Set as default
                  </Button>
                )}
                <IconButton
                  small
                  icon="trash"
                  label={`Delete ${name}`}
                  onClick={() => setDeleting(separation)}
                />
              </div>
            </li>
          );
        })}
      </ul>
      {deleting && (
        <QuestionDialog
          title={`Delete the stems of ${separationName(deleting)}?`}
          stay="Cancel"
          go="Delete"
          onAnswer={(isWanted) => {
            setDeleting(null);
            if (isWanted) void actions.removeSeparation(track, deleting.job_id);
          }}
        >
          This frees {bytesText(deleting.bytes)} and cannot be undone; the song can be separated again.
          {track.stems_job_id === deleting.job_id && ` ${successorText(list, deleting)}`}
        </QuestionDialog>
      )}
    </section>
  );
}

/** Returns what decks and exports use after the default separation is deleted. */
function successorText(list: readonly Separation[], deleted: Separation): string {
  const next = list.findLast(({ job_id, preview }) => job_id !== deleted.job_id && !preview);
  return next
    ? `Decks and exports use ${separationName(next)} then.`
    : 'The player and the decks play the whole song then.';
}

import type { stemControls } from '@stem-studio/contract/controls';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckStem } from '@stem-studio/contract/resources/deck-session';
import type { Track } from '@stem-studio/contract/resources/track';
import { stemColor, stemName } from '../../../base/stem-color.ts';
import { lengthText } from '../../../state/decks/dj-state.ts';
import { useTrackActions } from '../../../state/track-actions.ts';
import { Button } from '../../../ui/button.tsx';
import { progressText, stageText } from '../../../ui/job-text.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { sortStems } from '../../../ui/stem-order.ts';
import { ControlButton, ControlFader } from '../control-parts.tsx';
import { useControl, useDeck, useDjEngine } from '../dj-context.ts';
import { percentText } from '../labels.ts';
import { StemLoop, useStemLoopLength } from './stem-loop.tsx';
import styles from './stem-section.module.css';

/** Channel strips of a deck's stems; without stems, the actions that get some. */
export function StemSection({ deck, track }: { deck: DeckId; track: Track | null }) {
  const engine = useDjEngine();
  const stems = useDeck(deck, (state) => state.stems);
  const actions = useTrackActions();
  const letter = deck.toUpperCase();
  const load = (processing_job_id: string | null) =>
    engine.decks.dispatch({ event: 'load_stems', deck, processing_job_id });
  if (stems.length > 0)
    return (
      <div className={styles['stems']} role="group" aria-label={`Stems of deck ${letter}`}>
        <div className={styles['strips']} data-many={stems.length > 4}>
          {sortStems(stems).map((stem) => (
            <StemStrip key={stem.stem_type} deck={deck} stem={stem} />
          ))}
        </div>
        <Button
          small
          className={styles['back']}
          title="Play the mix instead of the stems"
          aria-label={`Play the mix on deck ${letter}`}
          onClick={() => load(null)}
        >
          Mix
        </Button>
      </div>
    );
  const job = track?.separation;
  const isAtWork = job?.status === 'queued' || job?.status === 'processing';
  return (
    <div className={styles['offer']} role="group" aria-label={`Stems of deck ${letter}`}>
      <span className={styles['heading']}>Stems</span>
      {!track && <span className={styles['hint']}>Load a track first</span>}
      {track?.stems_job_id && (
        <Button small icon="split" onClick={() => load(track.stems_job_id)}>
          Load stems
        </Button>
      )}
      {track && !track.stems_job_id && isAtWork && (
        <>
          <ProgressBar percent={job.progress} label={`Separating ${track.title}`} />
          <span className={styles['hint']}>{progressText(job) || stageText(job)}</span>
        </>
      )}
      {track && !track.stems_job_id && !isAtWork && (
        <>
          <Button small icon="split" onClick={() => void actions.separate(track)}>
            Separate
          </Button>
          <span className={styles['hint']}>
            {job?.status === 'failed' ? stageText(job) : 'Vocals, drums, bass and other'}
          </span>
        </>
      )}
    </div>
  );
}

function StemStrip({ deck, stem }: { deck: DeckId; stem: DeckStem }) {
  const { stem_type } = stem;
  const isMuted = useControl(`deck.${deck}.stem.${stem_type}.mute`).value > 0;
  const loopBeats = useStemLoopLength(deck, stem_type);
  const name = `${stemName(stem_type)}, deck ${deck.toUpperCase()}`;
  const at = <Name extends keyof typeof stemControls>(name: Name) =>
    `deck.${deck}.stem.${stem_type}.${name}` as const;
  return (
    <div
      className={styles['strip']}
      style={{ ['--stem' as string]: stemColor(stem_type) }}
      data-silent={isMuted}
    >
      <ControlButton control={at('mute')} name={`Mute ${name}`} look="small" className={styles['name']}>
        <span className={styles['text']}>{stemName(stem_type)}</span>
      </ControlButton>
      <ControlButton control={at('solo')} name={`Solo ${name}`} look="small">
        S
      </ControlButton>
      <ControlFader control={at('volume')} name={`Volume of ${name}`} text={percentText} axis="x" />
      <ControlButton
        control={at('loop')}
        name={`Loop ${lengthText(loopBeats)} beats of ${name}`}
        look="small"
        className={styles['loop']}
      >
        ↻
      </ControlButton>
      <StemLoop deck={deck} stem={stem} />
    </div>
  );
}

import type { Cue } from '@stem-studio/contract/resources/cue';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import { transposedChord, transposedKey } from '@stem-studio/contract/transposed-key';
import { useMemo } from 'react';
import { pitchText } from '../base/key-text.ts';
import type { NoteActions } from '../panels/notes/note-actions.ts';
import { MixPanel } from '../panels/track/mix-panel.tsx';
import { bestCues } from '../state/best-cues.ts';
import { playerSettings, settingsOf } from '../state/player-settings.state.ts';
import { route } from '../state/route.state.ts';
import { chordSpansOf } from '../state/song-analysis.ts';
import type { TrackActions } from '../state/track-actions.ts';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './track-page.module.css';
import { TrackRemarks } from './track-remarks.tsx';
import type { OpenTrack } from './use-open-track.ts';

const SeparationsPanel = lazy(() =>
  import('../panels/track/separations-panel.tsx').then((m) => ({ default: m.SeparationsPanel })),
);

const noCues: readonly Cue[] = [];

/** The mix of the open track: remarks, the lanes of its stems, and its separations. */
export function MixTab({
  open,
  snapped,
  notes,
  noteActions,
  trackActions,
}: {
  open: OpenTrack;
  snapped: readonly number[];
  notes: readonly TranscriptionWithNotes[];
  noteActions: NoteActions;
  trackActions: TrackActions;
}) {
  const { track, player, stems, comparison, analysis, cues, overview, isOpening, recorded } = open;
  const semitones = useStore(playerSettings, (all) => settingsOf(all, track?.id ?? '').keySemitones);
  const isTall = useStore(route, (state) => state.isTall);
  const allCues = cues?.cues ?? noCues;
  const content = useMemo(() => {
    const key = transposedKey(recorded.key, semitones);
    return {
      beats: analysis?.beats ?? [],
      downbeats: analysis?.downbeats ?? [],
      sections: analysis?.sections ?? [],
      // The chords that sound: moved with the key of the player.
      chords: (analysis ? chordSpansOf(analysis) : []).map((span) => ({
        ...span,
        label: pitchText(transposedChord(span.label, semitones), key),
      })),
      cues: bestCues(allCues),
    };
  }, [analysis, allCues, recorded.key, semitones]);
  return (
    <>
      <TrackRemarks open={open} />
      {player ? (
        <MixPanel
          player={player}
          stems={stems}
          comparison={comparison}
          mix={overview}
          content={content}
          snapped={snapped}
          isCompact={!isTall}
          notes={notes}
          onMakeNotes={(stem) => void noteActions.make(stem.id)}
        />
      ) : (
        <div className={styles['nothing']}>
          {track && !track.audio && !isOpening ? 'This track is still being imported.' : ''}
        </div>
      )}
      {track && comparison.list.length > 0 && (
        <LazyPart name="The separations">
          <SeparationsPanel track={track} comparison={comparison} actions={trackActions} />
        </LazyPart>
      )}
    </>
  );
}

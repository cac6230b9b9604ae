import { Menu } from '@base-ui/react/menu';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { exportMidi, type MidiGrid } from '@stem-studio/contract/endpoints/exports';
import type { TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import type { Stem } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { sourceName } from '../../base/note-text.ts';
import { addressOf } from '../../client/call.ts';
import { isFinished } from '../../client/live-merge.ts';
import { notesJobsQuery } from '../../client/queries.ts';
import { createChartCursor } from '../../state/chart-cursor.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { DownloadMenu } from '../../ui/download-menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JobLine } from '../../ui/job-line.tsx';
import { isCancelled } from '../../ui/job-text.ts';
import menuStyles from '../../ui/menu.module.css';
import part from '../../ui/track-part.module.css';
import type { NoteActions } from './note-actions.ts';
import styles from './notes-panel.module.css';
import { PianoRollFigure } from './piano-roll-figure.tsx';
import { useRollView } from './use-roll-view.ts';

const midiGridNames: readonly (readonly [MidiGrid, string])[] = [
  ['none', 'MIDI, not quantised'],
  ['4', 'MIDI, quantised to 1/4'],
  ['8', 'MIDI, quantised to 1/8'],
  ['16', 'MIDI, quantised to 1/16'],
];

/** Transcriptions of a track and its stems: start one, view it as a piano roll, download it as MIDI. */
export function NotesPanel({
  track,
  stems,
  notes,
  beats,
  downbeats,
  player,
  actions,
  jobActions,
}: {
  track: Track;
  stems: readonly Stem[];
  notes: readonly TranscriptionWithNotes[];
  beats: readonly number[];
  downbeats: readonly number[];
  player: SongPlayer | null;
  actions: NoteActions;
  jobActions: Pick<TrackActions, 'cancel' | 'retry'>;
}) {
  const durationSeconds = track.duration_ms / 1000;
  const [cursor] = useState(createChartCursor);
  const section = useRef<HTMLElement>(null);
  const view = useRollView(player, durationSeconds, section);
  return (
    <section ref={section} className={part['part']} aria-label="Notes">
      <div className={part['head']}>
        <h3>Notes</h3>
        <p>{notes.length > 0 ? '' : 'No notes yet. Stems give better results than the whole song.'}</p>
        <TranscribeMenu stems={stems} actions={actions} />
      </div>
      <NotesJobs track={track} actions={jobActions} />
      {notes.map((found) => (
        <PianoRollFigure
          key={found.id}
          found={found}
          beats={beats}
          downbeats={downbeats}
          durationSeconds={durationSeconds}
          player={player}
          cursor={cursor}
          view={view}
        >
          <DownloadMenu
            label={`Download notes of ${sourceName(found.source)}`}
            groups={[
              midiGridNames.map(([quantize, label]) => ({
                label,
                address: addressOf(exportMidi, { id: found.id }, { quantize }),
              })),
            ]}
          />
          <IconButton
            small
            icon="trash"
            label={`Delete notes of ${sourceName(found.source)}`}
            onClick={() => void actions.remove(found)}
          />
        </PianoRollFigure>
      ))}
    </section>
  );
}

/** Menu of the sources that can be transcribed; explains why drums are missing. */
function TranscribeMenu({ stems, actions }: { stems: readonly Stem[]; actions: NoteActions }) {
  const item = menuStyles['item'];
  const hasDrums = stems.some(({ stem_type }) => stem_type === 'drums');
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ small: true })}>
        <Icon name="music" size={16} />
        Transcribe to MIDI
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label="Transcribe to MIDI">
            {stems
              .filter(({ stem_type }) => stem_type !== 'drums')
              .map(({ id, stem_type }) => (
                <Menu.Item key={id} className={item} onClick={() => void actions.make(id)}>
                  {sourceName(stem_type)}
                </Menu.Item>
              ))}
            <Menu.Item className={item} onClick={() => void actions.make(null)}>
              Whole song
            </Menu.Item>
            {hasDrums && <p className={menuStyles['note']}>Drums have no pitch.</p>}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Running transcription jobs, and the newest if it failed. */
function NotesJobs({ track, actions }: { track: Track; actions: Pick<TrackActions, 'cancel' | 'retry'> }) {
  const jobs = useQuery(notesJobsQuery(track.id));
  const all = jobs.data?.data ?? [];
  const running = all.filter(({ status }) => !isFinished(status));
  const [newest] = all;
  const failed = newest?.status === 'failed' && !isCancelled(newest) ? [newest] : [];
  return [...running, ...failed].map(({ id, status, progress, message, eta_seconds, error }) => (
    <div key={id} className={styles['job']}>
      <JobLine
        job={{ type: 'notes', state: { job_id: id, status, progress, message, eta_seconds, error } }}
        trackTitle={track.title}
        actions={actions}
      />
    </div>
  ));
}

import { type NoteGrid, noteGrids } from '@stem-studio/contract/projects/quantise-notes';
import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import type { Stem } from '@stem-studio/contract/resources/stem';
import type { ReactNode } from 'react';
import { keyText } from '../../../base/key-text.ts';
import { useTrackActions } from '../../../state/track-actions.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Fader } from '../../../ui/fader.tsx';
import { JobLine } from '../../../ui/job-line.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import styles from './piano-roll.module.css';
import type { RollModel } from './roll-model.ts';
import type { LaneTranscription } from './use-transcription.ts';

const gridOptions = noteGrids.map((value) => ({ value, label: value }));
const STRENGTH_STEP = 10;
const VELOCITY_STEP = 5;
const volumeRange = { min: 0, max: 100, rest: 70, step: 5 };

/** Whether notes play with the project, and their volume in percent. */
export interface Listening {
  readonly isOn: boolean;
  readonly volume: number;
}

/** Transcription, drawing, snapping, quantising, velocity and listening of a piano roll. */
export function RollTools({
  model,
  name,
  stem,
  transcription,
  notes,
  chosen,
  songKey,
  hasScale,
  onScale,
  listening,
  onListening,
  onZoomRows,
  isReadOnly,
  onClose,
  children,
}: {
  model: RollModel;
  /** Name of the lane. */
  name: string;
  stem: Stem | null;
  transcription: LaneTranscription;
  notes: readonly LaneNote[];
  /** Selected notes. */
  chosen: readonly LaneNote[];
  songKey: string;
  hasScale: boolean;
  onScale: (hasScale: boolean) => void;
  listening: Listening;
  onListening: (listening: Listening) => void;
  onZoomRows: (step: 1 | -1) => void;
  isReadOnly: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { isDrawing, isSnapped } = useStore(model.shown, (shown) => shown);
  return (
    <div className={styles['tools']}>
      <div className={styles['row']}>
        <h3>{name}</h3>
        <IconButton small icon="zoomOut" label="Smaller keys" onClick={() => onZoomRows(-1)} />
        <IconButton small icon="zoomIn" label="Larger keys" onClick={() => onZoomRows(1)} />
        <IconButton small icon="close" label={`Close notes of ${name} (N)`} onClick={onClose} />
      </div>
      {children}
      <Transcribe
        lane={model.lane}
        name={name}
        stem={stem}
        transcription={transcription}
        hasNotes={notes.length > 0}
        isReadOnly={isReadOnly}
      />
      <div className={styles['row']}>
        <Button
          small
          aria-pressed={isDrawing}
          disabled={isReadOnly}
          title="Draw notes (B)"
          onClick={() => model.set({ isDrawing: !isDrawing })}
        >
          Draw
        </Button>
        <Button
          small
          aria-pressed={isSnapped}
          title="Snap to the grid"
          onClick={() => model.set({ isSnapped: !isSnapped })}
        >
          Snap
        </Button>
        <Button
          small
          aria-pressed={hasScale && songKey !== ''}
          disabled={songKey === ''}
          title="Highlight the notes of the key"
          onClick={() => onScale(!hasScale)}
        >
          {songKey === '' ? 'Scale' : keyText(songKey)}
        </Button>
      </div>
      <QuantiseTools model={model} hasNotes={notes.length > 0} isReadOnly={isReadOnly} />
      <div className={styles['row']}>
        <span aria-hidden="true">Velocity</span>
        <NumberField
          name="Velocity of the selected notes"
          unit=""
          value={Math.round(chosen.reduce((sum, { velocity }) => sum + velocity, 0) / (chosen.length || 1))}
          min={chosen.length > 0 ? 1 : 0}
          max={127}
          isDisabled={isReadOnly || chosen.length === 0}
          onSet={(value) => model.setVelocity(() => value)}
          onStep={(direction) => model.setVelocity((velocity) => velocity + direction * VELOCITY_STEP)}
        />
        <Button
          small
          icon="music"
          aria-pressed={listening.isOn}
          title="Play the notes with the project"
          onClick={() => onListening({ ...listening, isOn: !listening.isOn })}
        >
          Play notes
        </Button>
        <div className={styles['volume']}>
          <Fader
            name="Volume of the notes"
            axis="x"
            value={listening.volume}
            range={volumeRange}
            text={`${Math.round(listening.volume)} %`}
            onChange={(volume) => onListening({ ...listening, volume })}
          />
        </div>
      </div>
    </div>
  );
}

/** Transcribes the stem of the lane, or shows the job that does. */
function Transcribe({
  lane,
  name,
  stem,
  transcription,
  hasNotes,
  isReadOnly,
}: {
  lane: string;
  name: string;
  stem: Stem | null;
  transcription: LaneTranscription;
  hasNotes: boolean;
  isReadOnly: boolean;
}) {
  const actions = useTrackActions();
  const { job } = transcription;
  if (transcription.lane === lane && job)
    return <JobLine job={{ type: 'notes', state: job }} trackTitle={name} actions={actions} />;
  return (
    <div className={styles['row']}>
      <Button
        small
        icon="music"
        disabled={isReadOnly || !stem || transcription.lane !== null}
        title={
          stem
            ? hasNotes
              ? 'Replaces the notes of this lane; undo brings them back'
              : 'Finds the notes of the stem'
            : 'Drums have no pitch'
        }
        onClick={() => stem && void transcription.start(lane, stem)}
      >
        Transcribe
      </Button>
    </div>
  );
}

/** Grid, strength and ends of the quantisation. The grid is also that of drawing and snapping. */
function QuantiseTools({
  model,
  hasNotes,
  isReadOnly,
}: {
  model: RollModel;
  hasNotes: boolean;
  isReadOnly: boolean;
}) {
  const { quantisation } = useStore(model.shown, (shown) => shown);
  const { grid, strength, hasEnds } = quantisation;
  const set = (change: Partial<typeof quantisation>) =>
    model.set({ quantisation: { ...quantisation, ...change } });
  const clamp = (value: number) => Math.min(100, Math.max(1, value));
  return (
    <div className={styles['row']}>
      <Select<NoteGrid>
        label="Grid"
        value={grid}
        options={gridOptions}
        onChange={(value) => set({ grid: value })}
      />
      <NumberField
        name="Strength of quantising"
        unit="%"
        value={strength}
        min={1}
        max={100}
        isDisabled={false}
        onSet={(value) => set({ strength: value })}
        onStep={(direction) => set({ strength: clamp(strength + direction * STRENGTH_STEP) })}
      />
      <Button
        small
        aria-pressed={hasEnds}
        title="Quantise the ends of notes too"
        onClick={() => set({ hasEnds: !hasEnds })}
      >
        Ends
      </Button>
      <Button
        small
        disabled={isReadOnly || !hasNotes}
        title="Quantise the selected notes, or all (Q)"
        onClick={() => model.quantise()}
      >
        Quantise
      </Button>
    </div>
  );
}

import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type BeatGrid, type GridEdit, timeSignatures } from '@stem-studio/contract/resources/beat-grid';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './grid-panel.module.css';
import { TapButton } from './tap-button.tsx';
import { TempoField } from './tempo-field.tsx';
import type { GridControls } from './use-grid-controls.ts';

interface ToolsProps {
  readonly grid: BeatGrid;
  readonly controls: GridControls;
  readonly player: SongPlayer | null;
}

/** The tools that edit a beat grid: its tempo, its offset, its bars. */
export function GridTools(props: ToolsProps) {
  return (
    <div className={styles['tools']}>
      <TempoTools {...props} />
      <OffsetTools {...props} />
      <BarTools {...props} />
    </div>
  );
}

/** Whether there is nothing that a tool may edit: no beats, or a locked grid. */
function isFixed({ grid_locked, beats }: BeatGrid): boolean {
  return grid_locked || beats.length === 0;
}

type TempoFactor = Extract<GridEdit, { edit: 'multiply' }>['factor'];

const factors: readonly { readonly factor: TempoFactor; readonly label: string; readonly title: string }[] = [
  { factor: '1/2', label: '÷2', title: 'Halve BPM (−)' },
  { factor: '2', label: '×2', title: 'Double BPM (+)' },
  { factor: '2/3', label: '×⅔', title: 'Multiply BPM by 2/3' },
  { factor: '3/2', label: '×1½', title: 'Multiply BPM by 3/2' },
];

function TempoTools({ grid, controls, player }: ToolsProps) {
  return (
    <ToolGroup name="Tempo">
      {factors.map(({ factor, label, title }) => (
        <Tool
          key={factor}
          label={label}
          title={title}
          isDisabled={isFixed(grid)}
          onPress={() => controls.edit({ edit: 'multiply', factor })}
        />
      ))}
      <TempoField tempo={grid.tempo} isDisabled={grid.grid_locked} onSet={controls.setTempo} />
      <TapButton taps={controls.taps} player={player} isDisabled={grid.grid_locked} />
    </ToolGroup>
  );
}

type Offset = { readonly ms: number } | { readonly beats: number };

const offsets: readonly { readonly by: Offset; readonly label: string; readonly title: string }[] = [
  { by: { beats: -0.5 }, label: '−½ beat', title: 'Half a beat earlier ([)' },
  { by: { ms: -10 }, label: '−10 ms', title: '10 ms earlier (Shift ,)' },
  { by: { ms: -1 }, label: '−1 ms', title: '1 ms earlier (,)' },
  { by: { ms: 1 }, label: '+1 ms', title: '1 ms later (.)' },
  { by: { ms: 10 }, label: '+10 ms', title: '10 ms later (Shift .)' },
  { by: { beats: 0.5 }, label: '+½ beat', title: 'Half a beat later (])' },
];

function OffsetTools({ grid, controls, player }: ToolsProps) {
  const shift = (by: Offset) => {
    if ('ms' in by) controls.editor.nudge(by.ms);
    else controls.edit({ edit: 'shift_beats', beats: by.beats });
  };
  return (
    <ToolGroup name="Offset">
      {offsets.map(({ by, label, title }) => (
        <Tool key={label} label={label} title={title} isDisabled={isFixed(grid)} onPress={() => shift(by)} />
      ))}
      <Button
        small
        disabled={isFixed(grid) || !player}
        title="Align nearest beat with playhead (B)"
        onClick={controls.alignBeat}
      >
        Align beat
      </Button>
    </ToolGroup>
  );
}

function BarTools({ grid, controls, player }: ToolsProps) {
  return (
    <ToolGroup name="Bars">
      <Button
        small
        disabled={isFixed(grid) || !player}
        title="Start a bar at the playhead (D)"
        onClick={controls.setDownbeat}
      >
        Set downbeat
      </Button>
      <Select
        className={styles['metre']}
        label="Time signature"
        value={grid.time_signature}
        options={[...(grid.time_signature === '' ? [''] : []), ...timeSignatures].map((signature) => ({
          value: signature,
          label: signature || '–',
        }))}
        disabled={isFixed(grid)}
        onChange={(value) => {
          const chosen = timeSignatures.find((signature) => signature === value);
          if (chosen) controls.edit({ edit: 'set_time_signature', time_signature: chosen });
        }}
      />
    </ToolGroup>
  );
}

/** Tools of one kind under their name. */
function ToolGroup({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['group']} role="group" aria-label={name}>
      <span aria-hidden="true">{name}</span>
      {children}
    </div>
  );
}

/** A small button with a short label; its title is also its name for screen readers. */
function Tool({
  label,
  title,
  isDisabled,
  onPress,
}: {
  label: string;
  title: string;
  isDisabled: boolean;
  onPress: () => void;
}) {
  return (
    <Button small title={title} aria-label={`${title}, ${label}`} disabled={isDisabled} onClick={onPress}>
      {label}
    </Button>
  );
}

import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type BeatGrid, type GridEdit, timeSignatures } from '@stem-studio/contract/resources/beat-grid';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { type ReactNode, useEffectEvent, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import part from '../../ui/track-part.module.css';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import type { GridAction } from './grid-keys.ts';
import styles from './grid-panel.module.css';
import { gridSummary, heardWords, stepWords } from './grid-text.ts';
import { TapButton } from './tap-button.tsx';
import { TempoField } from './tempo-field.tsx';
import { useGridEditor } from './use-grid-editor.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useMetronome } from './use-metronome.ts';
import { useTaps } from './use-taps.ts';
import { ZoomedGrid } from './zoomed-grid.tsx';

/** The beats of a track, seen on its waveform and heard as clicks, and all that repairs them. */
export function GridPanel({
  grid,
  player,
  peaks,
  durationSeconds,
}: {
  grid: BeatGrid;
  player: SongPlayer | null;
  peaks: WaveformPeaks | null;
  durationSeconds: number;
}) {
  const editor = useGridEditor(grid.track_id);
  const isBusy = useStore(editor.state, (state) => state.isBusy);
  const [clicks, setClicks] = useState(false);
  useMetronome(player, grid, clicks);
  const place = () => Math.min(durationSeconds, Math.max(0, player?.positionSeconds() ?? 0));
  const edit = (asked: GridEdit) => void editor.edit(asked);
  const taps = useTaps(player, (places) => edit({ edit: 'tap', taps: [...places] }));
  const perform = useEffectEvent((action: GridAction, timeStampMs: number) => {
    switch (action.do) {
      case 'tap':
        return taps.tap(timeStampMs);
      case 'click':
        return setClicks(!clicks);
      case 'downbeat':
        return edit({ edit: 'set_downbeat', at_seconds: place() });
      case 'align':
        return edit({ edit: 'align', at_seconds: place() });
      case 'nudge':
        return editor.nudge(action.ms);
      case 'edit':
        return edit(action.edit);
    }
  });
  useGridKeys((action, event) => {
    const isUndo = action.do === 'edit' && (action.edit.edit === 'undo' || action.edit.edit === 'redo');
    if (isUndo && (action.edit.edit === 'undo' ? grid.undo : grid.redo) === null) return;
    perform(action, event.timeStamp);
  });

  const section = useRef<HTMLElement>(null);
  useScope((scope) => {
    // A tool that is pressed by hand takes the keyboard from where it was and does not keep it: Space plays.
    if (section.current)
      scope.listen(section.current, 'mousedown', (event) => {
        if (!(event.target instanceof Element && event.target.closest('button'))) return;
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      });
  }, []);

  const isLocked = grid.grid_locked;
  const hasBeats = grid.beats.length > 0;
  const isFixed = isLocked || !hasBeats;
  const later = (beats: number): GridEdit => ({ edit: 'shift_beats', beats });
  return (
    <section ref={section} className={part['part']} aria-label="Beat grid" aria-busy={isBusy}>
      <div className={part['head']}>
        <h3>Beat grid</h3>
        <p role="status" title={heardWords(grid)}>
          {gridSummary(grid)}
        </p>
        <Button
          small
          icon="metronome"
          aria-pressed={clicks}
          title="Clicks on every beat while it plays (C)"
          onClick={() => setClicks(!clicks)}
        >
          Metronome
        </Button>
        <Button
          small
          icon="lock"
          aria-pressed={isLocked}
          title={
            isLocked ? 'Nothing changes the grid: press to let go of it' : 'Nothing changes a locked grid'
          }
          onClick={() => edit({ edit: isLocked ? 'unlock' : 'lock' })}
        >
          {isLocked ? 'Locked' : 'Lock'}
        </Button>
        <IconButton
          small
          icon="undo"
          label={grid.undo ? `Undo: ${stepWords[grid.undo]} (Ctrl Z)` : 'Nothing to undo'}
          disabled={isLocked || grid.undo === null}
          onClick={() => edit({ edit: 'undo' })}
        />
        <IconButton
          small
          icon="redo"
          label={grid.redo ? `Do again: ${stepWords[grid.redo]} (Ctrl Shift Z)` : 'Nothing to do again'}
          disabled={isLocked || grid.redo === null}
          onClick={() => edit({ edit: 'redo' })}
        />
        <Button
          small
          disabled={isLocked || grid.grid_source === 'detected'}
          title={heardWords(grid) || 'It is what was heard'}
          onClick={() => edit({ edit: 'use_detected' })}
        >
          Back to detected
        </Button>
      </div>
      <ZoomedGrid
        grid={grid}
        editor={editor}
        player={player}
        peaks={peaks}
        durationSeconds={durationSeconds}
      />
      <div className={styles['tools']}>
        <Tools name="Tempo">
          <Tool words="÷2" does="Half the beats (−)" isOff={isFixed} onPress={() => edit(times('1/2'))} />
          <Tool words="×2" does="Twice the beats (+)" isOff={isFixed} onPress={() => edit(times('2'))} />
          <Tool
            words="×⅔"
            does="Two thirds of the beats"
            isOff={isFixed}
            onPress={() => edit(times('2/3'))}
          />
          <Tool
            words="×1½"
            does="One and a half times the beats"
            isOff={isFixed}
            onPress={() => edit(times('3/2'))}
          />
          <TempoField
            tempo={grid.tempo}
            isOff={isLocked}
            onSet={(bpm) => edit({ edit: 'set_tempo', bpm, at_seconds: place() })}
          />
          <TapButton taps={taps} player={player} isOff={isLocked} />
        </Tools>
        <Tools name="Place">
          <Tool
            words="−½ beat"
            does="Half a beat earlier ([)"
            isOff={isFixed}
            onPress={() => edit(later(-0.5))}
          />
          <Tool
            words="−10 ms"
            does="10 ms earlier (Shift ,)"
            isOff={isFixed}
            onPress={() => editor.nudge(-10)}
          />
          <Tool words="−1 ms" does="1 ms earlier (,)" isOff={isFixed} onPress={() => editor.nudge(-1)} />
          <Tool words="+1 ms" does="1 ms later (.)" isOff={isFixed} onPress={() => editor.nudge(1)} />
          <Tool
            words="+10 ms"
            does="10 ms later (Shift .)"
            isOff={isFixed}
            onPress={() => editor.nudge(10)}
          />
          <Tool
            words="+½ beat"
            does="Half a beat later (])"
            isOff={isFixed}
            onPress={() => edit(later(0.5))}
          />
          <Button
            small
            disabled={isFixed || !player}
            title="Move the grid so that its nearest beat is at the playhead (B)"
            onClick={() => edit({ edit: 'align', at_seconds: place() })}
          >
            Beat is here
          </Button>
        </Tools>
        <Tools name="Bars">
          <Button
            small
            disabled={isFixed || !player}
            title="The beat nearest to the playhead begins a bar (D)"
            onClick={() => edit({ edit: 'set_downbeat', at_seconds: place() })}
          >
            One is here
          </Button>
          <select
            className={styles['metre']}
            aria-label="Time signature"
            value={grid.time_signature}
            disabled={isFixed}
            onChange={(event) => {
              const chosen = timeSignatures.find((signature) => signature === event.target.value);
              if (chosen) edit({ edit: 'set_time_signature', time_signature: chosen });
            }}
          >
            {grid.time_signature === '' && <option value="">–</option>}
            {timeSignatures.map((signature) => (
              <option key={signature}>{signature}</option>
            ))}
          </select>
        </Tools>
      </div>
    </section>
  );
}

function times(factor: '2' | '1/2' | '3/2' | '2/3'): GridEdit {
  return { edit: 'multiply', factor };
}

/** Tools of one kind, with its name. */
function Tools({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['group']} role="group" aria-label={name}>
      <span aria-hidden="true">{name}</span>
      {children}
    </div>
  );
}

/** A small button whose sign is explained aloud and on hover. */
function Tool({
  words,
  does,
  isOff,
  onPress,
}: {
  words: string;
  does: string;
  isOff: boolean;
  onPress: () => void;
}) {
  return (
    <Button small title={does} aria-label={does} disabled={isOff} onClick={onPress}>
      {words}
    </Button>
  );
}

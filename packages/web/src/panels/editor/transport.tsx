import { useRef } from 'react';
import { clockText } from '../../base/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './editor.module.css';
import type { EditorModel } from './editor-model.ts';
import type { EditorPlayback } from './editor-playback.ts';

/** Play, position, loop, the level of the output, and export once every step is saved. */
export function Transport({
  model,
  playback,
  isReadOnly,
  onExport,
}: {
  model: EditorModel;
  playback: EditorPlayback;
  isReadOnly: boolean;
  onExport: () => void;
}) {
  const { state, error, loop } = useStore(playback.shown, (shown) => shown);
  const unsent = useStore(model.editor.shown, (shown) => shown.unsent);
  const hasSpan = useStore(model.shown, ({ selection }) => selection.span !== null);
  const time = useRef<HTMLElement>(null);
  useScope(
    (scope) => {
      let text = '';
      scope.onAnimationFrame(() => {
        const now = clockText(playback.positionMs() / 1000);
        if (now === text || !time.current) return;
        text = now;
        time.current.textContent = now;
      });
    },
    [playback],
  );
  const isPlaying = state === 'playing' || state === 'buffering';
  return (
    <div className={styles['transport']} role="group" aria-label="Playback">
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
        disabled={state === 'loading'}
        onClick={() => playback.toggle()}
      />
      <span ref={time} className={styles['time']} role="timer" aria-label="Position" />
      <Button
        small
        icon="loop"
        look="quiet"
        aria-pressed={loop !== null}
        disabled={loop === null && !hasSpan}
        title="Loop selection (L)"
        onClick={() => playback.toggleLoop()}
      >
        Loop
      </Button>
      <div className={styles['meter']} data-meter="master" aria-hidden="true" />
      <span className={styles['loudness']} data-loudness title="Loudness of the last 3 s · since the start">
        — LUFS
      </span>
      <Button small icon="download" disabled={unsent > 0 || isReadOnly} onClick={onExport}>
        Export
      </Button>
      <span role="status" className={styles['playbackState']}>
        {state === 'loading' && 'Loading stems…'}
        {state === 'buffering' && 'Waiting for samples…'}
        {state === 'failed' && error}
      </span>
    </div>
  );
}

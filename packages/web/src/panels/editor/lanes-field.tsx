import { useRef } from 'react';
import { useScope } from '../../ui/use-scope.ts';
import styles from './editor.module.css';
import { openEditorCanvas } from './editor-canvas.ts';
import type { EditorModel } from './editor-model.ts';
import type { EditorPlayback } from './editor-playback.ts';
import type { Hit } from './hit-test.ts';
import { LanesMenu, selectForMenu } from './lanes-menu.tsx';
import { snapped } from './snap.ts';
import { locate, useLaneDrag } from './use-lane-drag.ts';
import { wheelView } from './wheel-view.ts';

/** The clips of all lanes over time, with the cursor. */
export function LanesField({
  model,
  playback,
  isReadOnly,
  onWarp,
}: {
  model: EditorModel;
  playback: EditorPlayback;
  isReadOnly: boolean;
  onWarp: () => void;
}) {
  const field = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const onset = useRef<HTMLDivElement>(null);
  const drag = useLaneDrag(
    model,
    { samples: playback.samplesOf, sampleRateHz: playback.sampleRateHz },
    (ms, lane) => showOnset(onset.current, model, ms, lane),
  );
  useScope(
    (scope) => {
      if (!canvas.current || !field.current) return;
      openEditorCanvas(scope, canvas.current, {
        scene: () => model.shown.getState(),
        window: () => model.view.window,
        peaks: playback.peaksOf,
        samples: playback.samplesOf,
        samplesVersion: playback.samplesVersion,
        sampleRateHz: playback.sampleRateHz,
      });
      scope.listen(
        field.current,
        'wheel',
        (event) => wheelView(event as WheelEvent, field.current, model.view),
        { passive: false },
      );
      let shown = -1;
      scope.onAnimationFrame(() => {
        if (!field.current || !cursor.current) return;
        const { fromSeconds, spanSeconds } = model.view.window;
        const part = spanSeconds > 0 ? (model.selection.cursorMs / 1000 - fromSeconds) / spanSeconds : 0;
        const left = Math.round(part * field.current.clientWidth);
        if (left === shown) return;
        shown = left;
        cursor.current.style.transform = `translateX(${left}px)`;
      });
    },
    [model, playback],
  );
  return (
    <LanesMenu model={model} playback={playback} isReadOnly={isReadOnly} onWarp={onWarp}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its menu opens by keyboard too */}
      <div
        ref={field}
        className={styles['field']}
        data-editor-field
        role="group"
        aria-label="Clips"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its menu opens by keyboard
        tabIndex={0}
        {...drag}
        onContextMenu={(event) => {
          // The menu key has no pointer: the menu is for what is selected.
          if (event.button !== 2) return;
          const { ms, lane, hit } = locate(model, event);
          selectForMenu(model, { ms: snapped(ms, model.marks), lane, clipId: clipAt(hit) });
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <div className={styles['loop']} data-editor-loop hidden />
        <div ref={cursor} className={styles['cursor']} />
        <div ref={onset} className={styles['onset']} hidden />
        <div className={styles['playhead']} data-editor-playhead hidden />
      </div>
    </LanesMenu>
  );
}

const clipAt = (hit: Hit): string | null => ('clip' in hit ? hit.clip.id : null);

/** Shows the line of the onset that Ctrl and a drag would move, on its lane. */
function showOnset(line: HTMLElement | null, model: EditorModel, ms: number | null, lane: string): void {
  if (!line) return;
  line.hidden = ms === null;
  if (ms === null) return;
  const { fromSeconds, spanSeconds } = model.view.window;
  const { lanes } = model.state;
  const index = lanes.findIndex(({ id }) => id === lane);
  line.style.left = `${(100 * (ms / 1000 - fromSeconds)) / (spanSeconds || 1)}%`;
  line.style.top = `${(100 * index) / lanes.length}%`;
  line.style.height = `${100 / lanes.length}%`;
}

import type { Stem } from '@stem-studio/contract/resources/stem';
import { stemType } from '@stem-studio/contract/resources/stem';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { stemName } from '../../../base/stem-color.ts';
import type { TimelineContent } from '../../../canvas/timeline-canvas.ts';
import { isTyping } from '../../../ui/is-typing.ts';
import { useStore } from '../../../ui/use-store.ts';
import type { EditorPlayback } from '../editor-playback.ts';
import { HeightHandle } from './height-handle.tsx';
import styles from './piano-roll.module.css';
import type { RollSource } from './roll-canvas.ts';
import { RollField } from './roll-field.tsx';
import { rowHeights } from './roll-geometry.ts';
import { rollActionOf } from './roll-keys.ts';
import { notesOf, type RollModel } from './roll-model.ts';
import { rollText } from './roll-text.ts';
import { type Listening, RollTools } from './roll-tools.tsx';
import { scaleOf } from './scale.ts';
import type { LaneTranscription } from './use-transcription.ts';
import { VelocityLane } from './velocity-lane.tsx';

const NEW_HEIGHT_PX = 280;

/** Notes of a lane over the timeline of the lanes above: keyboard, notes, velocities and tools. */
export function PianoRoll({
  model,
  playback,
  content,
  songKey,
  stem,
  transcription,
  listening,
  onListening,
  isReadOnly,
  onClose,
}: {
  model: RollModel;
  playback: EditorPlayback;
  content: TimelineContent;
  /** Key of the song with sharps; empty if it is unknown. */
  songKey: string;
  /** Stem that can be transcribed; null if there is none with pitch. */
  stem: Stem | null;
  transcription: LaneTranscription;
  listening: Listening;
  onListening: (listening: Listening) => void;
  isReadOnly: boolean;
  onClose: () => void;
}) {
  const statusId = useId();
  const [heightPx, setHeightPx] = useState(NEW_HEIGHT_PX);
  const [hasScale, setHasScale] = useState(true);
  const [rowPx, setRowPx] = useState<number>(11);
  const { selected } = useStore(model.shown, (shown) => shown);
  const notes = useStore(model.editor.shown, ({ state }) => notesOf(state, model.lane));
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useMemo(() => (hasScale ? scaleOf(songKey) : null), [hasScale, songKey]);
  const source = useMemo((): RollSource => {
    const downbeats = content.downbeats.map((seconds) => seconds * 1000);
    return {
      model,
      geometry: () => ({ rowPx, scrollPx: scroller.current?.scrollTop ?? 0 }),
      scale: () => scale,
      downbeatsMs: () => downbeats,
    };
  }, [model, rowPx, scale, content]);
  const zoomRows = (step: 1 | -1) =>
    setRowPx(rowHeights[rowHeights.findIndex((height) => height === rowPx) + step] ?? rowPx);
  const name = stemName(stemType.safeParse(model.lane).data ?? 'mix');
  const chosen = notes.filter(({ id }) => selected.has(id));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.nativeEvent)) return;
    const action = rollActionOf(event);
    // Buttons keep their keys, and the list of a select its arrows.
    const isButton = event.target instanceof HTMLElement && event.target.closest('button, [role="slider"]');
    if (!action || isButton) return;
    if (model.act(action, isReadOnly)) event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the roll within it
    <section
      className={styles['roll']}
      data-roll
      aria-label={`Notes of ${name}`}
      style={{ height: heightPx }}
      onKeyDown={onKeyDown}
    >
      <HeightHandle heightPx={heightPx} onChange={setHeightPx} />
      <RollTools
        model={model}
        name={name}
        stem={stem}
        transcription={transcription}
        notes={notes}
        chosen={chosen}
        songKey={songKey}
        hasScale={hasScale}
        onScale={setHasScale}
        listening={listening}
        onListening={onListening}
        onZoomRows={zoomRows}
        isReadOnly={isReadOnly}
        onClose={onClose}
      >
        <p id={statusId} className={styles['status']} role="status">
          {rollText(notes, chosen, content)}
        </p>
      </RollTools>
      <RollField
        scroller={scroller}
        source={source}
        rowPx={rowPx}
        notes={notes}
        playback={playback}
        name={name}
        statusId={statusId}
        isReadOnly={isReadOnly}
      />
      <VelocityLane source={source} isReadOnly={isReadOnly} />
    </section>
  );
}

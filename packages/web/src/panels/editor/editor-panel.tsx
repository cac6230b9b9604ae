import type { Scope } from '@stem-studio/audio/base/scope';
import type { Project } from '@stem-studio/contract/resources/project';
import type { Separation } from '@stem-studio/contract/resources/separation';
import { type PointerEvent, useEffectEvent, useMemo, useRef, useState } from 'react';
import { countText } from '../../base/format.ts';
import { openTimelineCanvas, type TimelineContent, timelineHeightPx } from '../../canvas/timeline-canvas.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { KeyListDialog } from '../../ui/key-list-dialog.tsx';
import { keepsSpace } from '../../ui/pointer-focus.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { ClipInspector } from './clip-inspector.tsx';
import styles from './editor.module.css';
import { editorActionOf, editorKeys } from './editor-keys.ts';
import { EditorModel } from './editor-model.ts';
import { EditorPlayback } from './editor-playback.ts';
import { EditorToolbar, ViewTools } from './editor-toolbar.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { followPlayback } from './follow-playback.ts';
import { LaneHeader } from './lane-header.tsx';
import { LanesField } from './lanes-field.tsx';
import { PianoRollPane } from './piano-roll/piano-roll-pane.tsx';
import { rollKeys } from './piano-roll/roll-keys.ts';
import type { ProjectEditor } from './project-editor.ts';
import { selectSpan } from './selection.ts';
import { type SnapKind, snapMarks, snapped } from './snap.ts';
import { endMsOf } from './song-marks.ts';
import { Transport } from './transport.tsx';
import { useTimelineContent } from './use-timeline-content.ts';
import { WarpDialog } from './warp-dialog.tsx';

const keyGroups = [
  { name: 'Editor', keys: editorKeys },
  { name: 'Piano roll', keys: rollKeys },
];

/** The timeline of a project: toolbar, ruler, lane headers and clips. */
export function EditorPanel({
  project,
  editor,
  separation,
  title,
}: {
  project: Project;
  editor: ProjectEditor;
  separation: Separation | null;
  /** Title of the track, for the question when decks play. */
  title: string;
}) {
  const [model] = useState(() => new EditorModel(editor));
  const [playback] = useState(() => new EditorPlayback(model, title));
  const arrangement = useRef<HTMLDivElement>(null);
  const [snap, setSnap] = useState<SnapKind>('bar');
  const [showsKeys, setShowsKeys] = useState(false);
  const [exports, setExports] = useState(false);
  const [warps, setWarps] = useState(false);
  const [notesLane, setNotesLane] = useState<string | null>(null);
  const state = useStore(model.shown, (shown) => shown.state);
  const lanes = useStore(model.shown, (shown) => shown.selection.lanes);
  const content = useTimelineContent(project.track_id, state);
  const marks = useMemo(() => snapMarks(snap, content), [snap, content]);
  const isReadOnly = !project.has_stems;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const action = editorActionOf(event);
    if (!action || (action === 'play' && keepsSpace(event))) return;
    event.preventDefault();
    if (action === 'list-keys') setShowsKeys(true);
    else if (action === 'play') playback.toggle();
    else if (action === 'loop') playback.toggleLoop();
    else if (action === 'notes')
      setNotesLane(notesLane === null ? (lanes[0] ?? state.lanes[0]?.id ?? null) : null);
    else if (!isReadOnly) model.act(action);
  });
  useScope(
    (scope) => {
      scope.own(editor.shown.subscribe(() => model.refresh()));
      scope.listen(globalThis, 'keydown', (event) => onKey(event as KeyboardEvent));
    },
    [editor, model],
  );
  const stemsId = separation?.job_id ?? null;
  const openStems = useEffectEvent((scope: Scope) => {
    if (separation) playback.open(scope, separation);
  });
  // The stems of a separation do not change.
  useScope((scope) => openStems(scope), [stemsId]);
  useScope(
    (scope) => {
      if (arrangement.current) followPlayback(scope, arrangement.current, model, playback);
    },
    [model, playback],
  );
  useScope(() => {
    model.setTimeline(marks, endMsOf(state));
  }, [model, marks, state]);
  return (
    <>
      <div className={styles['top']}>
        <Transport
          model={model}
          playback={playback}
          isReadOnly={isReadOnly}
          onExport={() => setExports(true)}
        />
        <ViewTools model={model} snap={snap} onSnap={setSnap} onListKeys={() => setShowsKeys(true)} />
      </div>
      <EditorToolbar model={model} isReadOnly={isReadOnly} />
      <ClipInspector model={model} isReadOnly={isReadOnly} onWarp={() => setWarps(true)} />
      <div ref={arrangement} className={styles['arrangement']}>
        <SavedLine editor={editor} isReadOnly={isReadOnly} />
        <Ruler model={model} playback={playback} content={content} />
        <div className={styles['headers']}>
          {state.lanes.map((lane) => (
            <LaneHeader
              key={lane.id}
              lane={lane}
              reverb={state.reverb}
              isSelected={lanes.includes(lane.id)}
              isReadOnly={isReadOnly}
              hasNotesOpen={notesLane === lane.id}
              onNotes={() => setNotesLane(notesLane === lane.id ? null : lane.id)}
              onSelect={() => model.select({ ...model.selection, clips: [], lanes: [lane.id] })}
              onEdit={(edit) => model.edit(edit)}
              onMove={(change) => playback.setStrip(lane.id, change)}
            />
          ))}
        </div>
        <LanesField model={model} playback={playback} isReadOnly={isReadOnly} onWarp={() => setWarps(true)} />
      </div>
      <PianoRollPane
        model={model}
        playback={playback}
        content={content}
        trackId={project.track_id}
        separation={separation}
        lane={notesLane}
        isReadOnly={isReadOnly}
        onClose={() => setNotesLane(null)}
      />
      {exports && (
        <ExportDialog
          project={project}
          state={state}
          span={model.selection.span}
          onClose={() => setExports(false)}
        />
      )}
      {warps && (
        <WarpDialog
          model={model}
          beatsMs={content.beats.map((seconds) => seconds * 1000)}
          onClose={() => setWarps(false)}
        />
      )}
      {showsKeys && <KeyListDialog groups={keyGroups} onClose={() => setShowsKeys(false)} />}
    </>
  );
}

/** Says whether every step is saved. */
function SavedLine({ editor, isReadOnly }: { editor: ProjectEditor; isReadOnly: boolean }) {
  const unsent = useStore(editor.shown, (shown) => shown.unsent);
  const isOffline = useStore(editor.shown, (shown) => shown.isOffline);
  const text = isReadOnly
    ? 'Stems deleted: the edits are kept, but cannot be changed'
    : isOffline
      ? `Offline: ${countText(unsent, 'step')} kept in this window`
      : unsent > 0
        ? 'Saving…'
        : 'Saved';
  return (
    <p className={styles['saved']} role="status">
      {text}
    </p>
  );
}

/** Time, bars, sections, chords and cue points of the timeline. A press moves the cursor. */
function Ruler({
  model,
  playback,
  content,
}: {
  model: EditorModel;
  playback: EditorPlayback;
  content: TimelineContent;
}) {
  const isScrubbing = useRef(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  useScope(
    (scope) => {
      if (canvas.current) openTimelineCanvas(scope, canvas.current, content, () => model.view.window);
    },
    [model, content],
  );
  const positionAt = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const { fromSeconds, spanSeconds } = model.view.window;
    const part = (event.clientX - box.left) / Math.max(1, box.width);
    return Math.max(0, (fromSeconds + part * spanSeconds) * 1000);
  };
  const endScrub = () => {
    isScrubbing.current = false;
    playback.scrub(null);
  };
  return (
    <div
      className={styles['ruler']}
      style={{ height: timelineHeightPx(content) }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isScrubbing.current = true;
        const at = snapped(positionAt(event), model.marks);
        model.select(selectSpan(at, at, model.selection.lanes));
        playback.seek(at);
      }}
      onPointerMove={(event) => {
        if (isScrubbing.current) playback.scrub(positionAt(event));
      }}
      onPointerUp={() => endScrub()}
      onPointerCancel={() => endScrub()}
    >
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}

import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import type { Separation } from '@stem-studio/contract/resources/separation';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TimelineContent } from '../../../canvas/timeline-canvas.ts';
import { analysisQuery } from '../../../client/queries.ts';
import { toastError } from '../../../state/toasts.state.ts';
import { useScope } from '../../../ui/use-scope.ts';
import { useStore } from '../../../ui/use-store.ts';
import type { EditorModel } from '../editor-model.ts';
import type { EditorPlayback } from '../editor-playback.ts';
import { beatPositions } from './beat-positions.ts';
import { PianoRoll } from './piano-roll.tsx';
import { notesOf, type RollContext, RollModel } from './roll-model.ts';
import { useNoteAudition, useNotePlayback } from './use-note-playback.ts';
import { type LaneTranscription, stemOf, useTranscription } from './use-transcription.ts';

const noNotes: readonly LaneNote[] = [];
const limitText = 'A project has at most 20,000 notes. Delete some first.';

/** Properties of {@link PianoRollPane}. */
interface PaneProps {
  readonly model: EditorModel;
  readonly playback: EditorPlayback;
  readonly content: TimelineContent;
  readonly trackId: string;
  readonly separation: Separation | null;
  /** Lane whose notes are shown; null for none. */
  readonly lane: string | null;
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

/** The piano roll below the lanes. Transcriptions continue while none is open. */
export function PianoRollPane({ lane, ...props }: PaneProps) {
  const { model, trackId } = props;
  const transcription = useTranscription(model, trackId);
  const hasLane = useStore(model.shown, ({ state }) => state.lanes.some(({ id }) => id === lane));
  const [clipboard] = useState<RollContext['clipboard']>(() => ({ notes: [] }));
  if (lane === null || !hasLane) return null;
  return <OpenRoll key={lane} lane={lane} clipboard={clipboard} transcription={transcription} {...props} />;
}

function OpenRoll({
  model: editor,
  playback,
  content,
  trackId,
  separation,
  lane,
  isReadOnly,
  onClose,
  clipboard,
  transcription,
}: PaneProps & {
  readonly lane: string;
  readonly clipboard: RollContext['clipboard'];
  readonly transcription: LaneTranscription;
}) {
  const [listening, setListening] = useState({ isOn: false, volume: 70 });
  const audition = useNoteAudition(listening.volume);
  const [model] = useState(() => {
    const refuse = () => toastError('The notes were not added', limitText);
    return new RollModel(editor, lane, { audition, refuse, clipboard });
  });
  const { data: analysis } = useQuery(analysisQuery(trackId));
  const signature = analysis?.time_signature ?? null;
  const key = analysis?.key ?? '';
  useScope(() => model.setBeats(beatPositions(content, signature)), [model, content, signature]);
  const saved = useStore(editor.editor.shown, ({ state }) => notesOf(state, lane));
  useNotePlayback(playback, listening.isOn ? saved : noNotes, listening);
  return (
    <PianoRoll
      model={model}
      playback={playback}
      content={content}
      songKey={key}
      stem={stemOf(separation, lane)}
      transcription={transcription}
      listening={listening}
      onListening={setListening}
      isReadOnly={isReadOnly}
      onClose={onClose}
    />
  );
}

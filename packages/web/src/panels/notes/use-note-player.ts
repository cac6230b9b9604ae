import { createNoteOutput } from '@stem-studio/audio/graph/note-output';
import { type NoteOutput, NotePlayer } from '@stem-studio/audio/notes/note-player';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { TranscribedNote } from '@stem-studio/contract/resources/notes';
import { useRef } from 'react';
import { useScope } from '../../ui/use-scope.ts';

/** Length of an auditioned note in seconds. */
const AUDITION_SECONDS = 0.6;

/** Plays notes together with the song while `isOn` and the component is mounted. */
export function useNotePlayer(
  player: SongPlayer | null,
  notes: readonly TranscribedNote[],
  isOn: boolean,
): void {
  useScope(
    (scope) => {
      if (!player || !isOn) return;
      const playable = notes.map(({ start_ms, end_ms, pitch, velocity }) => ({
        startSeconds: start_ms / 1000,
        endSeconds: end_ms / 1000,
        pitch,
        velocity,
      }));
      const notePlayer = new NotePlayer(player, createNoteOutput(), playable);
      scope.own(() => notePlayer.dispose());
    },
    [player, notes, isOn],
  );
}

/** Returns a function that plays a pitch at once, for a press on a note or a key. */
export function useAudition(): (pitch: number, velocity?: number) => void {
  const output = useRef<NoteOutput | null>(null);
  const end = useRef<() => void>(() => undefined);
  useScope((scope) => scope.own(() => output.current?.dispose()), []);
  return (pitch, velocity = 100) => {
    output.current ??= createNoteOutput();
    end.current();
    end.current = output.current.play(
      { pitch, velocity },
      output.current.renderedSeconds(),
      AUDITION_SECONDS,
    );
  };
}

import { createNoteOutput, type NoteSynthesiser } from '@stem-studio/audio/graph/note-output';
import { NotePlayer, type NoteTransport } from '@stem-studio/audio/notes/note-player';
import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import { useRef, useState } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import type { EditorPlayback } from '../editor-playback.ts';

/** Length of a note that is played for a moment, in seconds. */
const AUDITION_SECONDS = 0.4;

/** Returns the playback of a project as notes follow it. */
function transportOf(playback: EditorPlayback): NoteTransport {
  return {
    state: {
      getState() {
        const { state, loop } = playback.shown.getState();
        return {
          transport: state === 'playing' ? 'playing' : 'paused',
          loop: loop && { startSeconds: loop.startMs / 1000, endSeconds: loop.endMs / 1000 },
          isLooping: loop !== null,
          tempoPercent: 100,
        };
      },
    },
    positionSeconds: () => playback.positionMs() / 1000,
  };
}

/** Plays notes with the project while `isOn`, at a volume in percent. */
export function useNotePlayback(
  playback: EditorPlayback,
  notes: readonly LaneNote[],
  { isOn, volume }: { readonly isOn: boolean; readonly volume: number },
): void {
  const output = useRef<NoteSynthesiser | null>(null);
  useScope(
    (scope) => {
      if (!isOn) return;
      const playable = notes.map(({ start_ms, length_ms, pitch, velocity }) => ({
        startSeconds: start_ms / 1000,
        endSeconds: (start_ms + length_ms) / 1000,
        pitch,
        velocity,
      }));
      const synthesiser = createNoteOutput();
      output.current = synthesiser;
      const player = new NotePlayer(transportOf(playback), synthesiser, playable);
      scope.own(() => {
        output.current = null;
        player.dispose();
      });
    },
    [playback, notes, isOn],
  );
  useScope(() => output.current?.setGain(volume / 100), [notes, isOn, volume]);
}

/** Plays single notes for a moment. */
class NoteAudition {
  #output: NoteSynthesiser | null = null;
  #gain = 1;
  #end: (() => void) | null = null;

  /** Plays a note; one that still sounds ends. */
  readonly play = (pitch: number, velocity: number): void => {
    this.#output ??= createNoteOutput();
    this.#output.setGain(this.#gain);
    this.#end?.();
    this.#end = this.#output.play({ pitch, velocity }, this.#output.renderedSeconds(), AUDITION_SECONDS);
  };

  setGain(gain: number): void {
    this.#gain = gain;
    this.#output?.setGain(gain);
  }

  dispose(): void {
    this.#output?.dispose();
    this.#output = null;
  }
}

/** Returns the function that plays a note for a moment, at a volume in percent; the same one in each rendering. */
export function useNoteAudition(volume: number): (pitch: number, velocity: number) => void {
  const [audition] = useState(() => new NoteAudition());
  useScope(() => audition.setGain(volume / 100), [audition, volume]);
  useScope((scope) => scope.own(() => audition.dispose()), [audition]);
  return audition.play;
}

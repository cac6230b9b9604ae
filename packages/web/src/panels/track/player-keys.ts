import { loopBetween, snapToBeat } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key on the player. */
export type PlayerAction =
  | { do: 'toggle' | 'start' | 'loop' | 'loop-start' | 'loop-end' | 'metronome' | 'list-keys' }
  | { do: 'skip'; seconds: number }
  | { do: 'tempo'; percent: number }
  | { do: 'key'; semitones: number }
  | { do: 'mute' | 'solo'; row: number }
  | { do: 'compare'; step: 1 | -1 };

/** Keyboard shortcuts of the player, as the list of keyboard shortcuts shows them. */
export const playerKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Space', does: 'Play or pause' },
  { keys: '← →', does: 'Back or forward 5 seconds' },
  { keys: 'Shift + ← →', does: 'Back or forward 1 second' },
  { keys: 'Home', does: 'Go to start' },
  { keys: '1 – 9', does: 'Solo stem 1 – 9' },
  { keys: 'M, S', does: 'Mute or solo the focused stem' },
  { keys: 'I, O', does: 'Start or end of the loop' },
  { keys: 'L', does: 'Loop on or off' },
  { keys: 'Shift + ↑ ↓', does: 'Tempo 1 % up or down' },
  { keys: 'J, K', does: 'Key a semitone down or up' },
  { keys: 'C', does: 'Metronome on or off' },
  { keys: 'X', does: 'Compare: next separation; with Shift the previous' },
  { keys: '?', does: 'Keyboard shortcuts' },
];

/** Returns the action of a key, or null; `focusedRow` is the row of the player that has the focus. */
export function actionOfKey(press: KeyPress, focusedRow: number | null): PlayerAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (/^[1-9]$/.test(key)) return { do: 'solo', row: Number(key) - 1 };
  switch (key) {
    case ' ':
      return { do: 'toggle' };
    case 'Home':
      return { do: 'start' };
    case 'ArrowLeft':
      return { do: 'skip', seconds: press.shiftKey ? -1 : -5 };
    case 'ArrowRight':
      return { do: 'skip', seconds: press.shiftKey ? 1 : 5 };
    case 'ArrowUp':
      return press.shiftKey ? { do: 'tempo', percent: 1 } : null;
    case 'ArrowDown':
      return press.shiftKey ? { do: 'tempo', percent: -1 } : null;
    case 'j':
      return { do: 'key', semitones: -1 };
    case 'k':
      return { do: 'key', semitones: 1 };
    case 'l':
      return { do: 'loop' };
    case 'i':
      return { do: 'loop-start' };
    case 'o':
      return { do: 'loop-end' };
    case 'c':
      return { do: 'metronome' };
    case 'x':
      return { do: 'compare', step: press.shiftKey ? -1 : 1 };
    case '?':
      return { do: 'list-keys' };
    case 'm':
      return focusedRow === null ? null : { do: 'mute', row: focusedRow };
    case 's':
      return focusedRow === null ? null : { do: 'solo', row: focusedRow };
    default:
      return null;
  }
}

/** Performs an action; loop ends snap to `beats` (seconds, ascending), if there are any. */
export function perform(player: SongPlayer, action: PlayerAction, beats: readonly number[]): void {
  const { loop, durationSeconds, rows, tempoPercent, keySemitones, metronome } = player.state.getState();
  const position = player.positionSeconds();
  switch (action.do) {
    case 'start':
      return player.seek(0);
    case 'skip':
      return player.seek(position + action.seconds);
    case 'tempo':
      return player.setTempo(tempoPercent + action.percent);
    case 'key':
      return player.setKey(keySemitones + action.semitones);
    case 'loop':
      if (loop) return player.toggleLooping();
      // Without a loop: the next eight seconds.
      return player.setLoop(
        loopBetween(snapToBeat(position, beats), snapToBeat(position + 8, beats), durationSeconds),
      );
    case 'loop-start': {
      const end = loop && loop.endSeconds > position ? loop.endSeconds : durationSeconds;
      return player.setLoop(loopBetween(snapToBeat(position, beats), end, durationSeconds));
    }
    case 'loop-end': {
      const start = loop && loop.startSeconds < position ? loop.startSeconds : 0;
      return player.setLoop(loopBetween(start, snapToBeat(position, beats), durationSeconds));
    }
    case 'metronome':
      return player.setMetronome({ ...metronome, isOn: !metronome.isOn });
    case 'mute':
      return player.toggleMute(action.row);
    case 'solo':
      return rows.length > 1 && action.row < rows.length ? player.toggleSolo(action.row) : undefined;
    // Actions of the page, not of the player.
    case 'toggle':
    case 'compare':
    case 'list-keys':
      return undefined;
  }
}

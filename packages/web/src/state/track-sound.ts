import { isRunning } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { releaseSound, takeSound } from './sounding.state.ts';

/**
 * Makes the player of a track page ask for the output before it plays, so that it never sounds over a preview or the
 * decks. The returned function ends that and releases the output.
 */
export function followTrackSound(player: SongPlayer, title: string): () => void {
  const start = player.play.bind(player);
  const sound = { title, start, pause: () => player.pause() };
  player.play = () => {
    if (takeSound('track-page', sound)) start();
  };
  // A player that replaces another one may be playing already.
  if (isRunning(player.state.getState().transport) && !takeSound('track-page', sound)) player.pause();
  const unsubscribe = player.state.subscribe(({ transport }, before) => {
    if (isRunning(before.transport) && !isRunning(transport)) releaseSound('track-page');
  });
  return () => {
    unsubscribe();
    player.play = start;
    releaseSound('track-page');
  };
}

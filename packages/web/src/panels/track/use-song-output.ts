import { isRunning } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useCallback, useEffect } from 'react';
import { releaseOutput, takeOutput } from '../../state/output-use.state.ts';

/**
 * Returns a function that plays or pauses the song. Before it plays, the output is reserved, so that a preview is paused
 * and the user is asked while decks play. The reservation ends with a pause, the end of the song, and the page.
 *
 * @param title title of the track, for the question
 */
export function useSongOutput(player: SongPlayer | null, title: string): () => void {
  const take = useCallback(
    (playing: SongPlayer) =>
      takeOutput('track-page', {
        title,
        start: () => playing.play(),
        pause: () => playing.pause(),
      }),
    [title],
  );
  useEffect(() => {
    if (!player) return undefined;
    let wasRunning = false;
    const follow = () => {
      const runs = isRunning(player.state.getState().transport);
      if (runs === wasRunning) return;
      wasRunning = runs;
      // A player that replaces a playing one starts by itself.
      if (!runs) releaseOutput('track-page');
      else if (!take(player)) player.pause();
    };
    follow();
    const unsubscribe = player.state.subscribe(follow);
    return () => {
      unsubscribe();
      releaseOutput('track-page');
    };
  }, [player, take]);
  return useCallback(() => {
    if (!player) return;
    if (isRunning(player.state.getState().transport) || take(player)) player.toggle();
  }, [player, take]);
}

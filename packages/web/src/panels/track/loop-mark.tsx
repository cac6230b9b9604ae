import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { TimeView } from '../../state/time-view.ts';
import { useStore } from '../../ui/use-store.ts';

/** The loop over the visible part of the song; nothing without a loop. */
export function LoopMark({
  player,
  view,
  className,
}: {
  player: SongPlayer;
  view: TimeView;
  className: string;
}) {
  const loop = useStore(player.state, (state) => state.loop);
  const isLooping = useStore(player.state, (state) => state.isLooping);
  const { fromSeconds, spanSeconds } = useStore(view.state, (state) => state.window);
  if (!loop || spanSeconds <= 0) return null;
  const percent = (seconds: number) => `${(seconds / spanSeconds) * 100}%`;
  return (
    <span
      className={className}
      data-on={isLooping}
      style={{
        left: percent(loop.startSeconds - fromSeconds),
        width: percent(loop.endSeconds - loop.startSeconds),
      }}
    />
  );
}

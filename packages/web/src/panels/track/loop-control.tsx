import { Menu } from '@base-ui/react/menu';
import type { PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { deleteLoop, loopsOf, savedLoops, saveLoop } from '../../state/saved-loops.state.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';
import { useStore } from '../../ui/use-store.ts';
import { loopBounds, loopName } from './loop-text.ts';
import { perform } from './player-keys.ts';
import styles from './transport.module.css';

/** Loop of the player: switch, snapping to beats, and the saved loops of the track. */
export function LoopControl({
  player,
  state,
  trackId,
  beats,
  downbeats,
  isSnapping,
  onSnap,
}: {
  player: SongPlayer;
  state: PlayerState;
  trackId: string;
  beats: readonly number[];
  downbeats: readonly number[];
  isSnapping: boolean;
  onSnap: (isSnapping: boolean) => void;
}) {
  const { loop, isLooping } = state;
  const hasBeats = beats.length > 0;
  return (
    <span className={styles['group']} role="group" aria-label="Loop">
      <Button
        small
        icon="loop"
        className={styles['loop']}
        aria-pressed={isLooping}
        title={loop ? 'Loop on or off (L)' : 'Loop 8 seconds (L)'}
        onClick={() => perform(player, { do: 'loop' }, isSnapping ? beats : [])}
      >
        {loop ? loopBounds(loop) : 'Loop'}
      </Button>
      <IconButton
        small
        icon="magnet"
        label={hasBeats ? 'Snap loop to beats' : 'Snap loop to beats (needs analysis)'}
        aria-pressed={isSnapping && hasBeats}
        disabled={!hasBeats}
        onClick={() => onSnap(!isSnapping)}
      />
      <IconButton
        small
        icon="close"
        label="Clear loop"
        disabled={!loop}
        onClick={() => player.setLoop(null)}
      />
      <SavedLoops player={player} state={state} trackId={trackId} downbeats={downbeats} />
    </span>
  );
}

/** Menu of the saved loops: save the current one, play or delete another. */
function SavedLoops({
  player,
  state: { loop },
  trackId,
  downbeats,
}: {
  player: SongPlayer;
  state: PlayerState;
  trackId: string;
  downbeats: readonly number[];
}) {
  const loops = useStore(savedLoops, (all) => loopsOf(trackId, all));
  const item = menuStyles['item'];
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ look: 'quiet', small: true })} title="Saved loops">
        <Icon name="bookmark" size={16} />
        <span className="visually-hidden">Saved loops: </span>
        {loops.length}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="start" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label="Saved loops">
            <Menu.Item
              className={item}
              disabled={!loop}
              onClick={() => loop && saveLoop(trackId, { ...loop, name: loopName(loop, downbeats) })}
            >
              Save loop
            </Menu.Item>
            {!loop && <p className={menuStyles['note']}>Set a loop to save it.</p>}
            {loops.length > 0 && <Menu.Separator className={menuStyles['separator']} />}
            {loops.map((saved) => (
              <Menu.Item
                key={`${saved.startSeconds} ${saved.endSeconds}`}
                className={item}
                onClick={() => {
                  player.setLoop({ startSeconds: saved.startSeconds, endSeconds: saved.endSeconds });
                  player.seek(saved.startSeconds);
                }}
              >
                {saved.name}
                {saved.name !== loopBounds(saved) && <kbd>{loopBounds(saved)}</kbd>}
              </Menu.Item>
            ))}
            {loops.length > 0 && (
              <Menu.SubmenuRoot>
                <Menu.SubmenuTrigger className={item}>Delete loop</Menu.SubmenuTrigger>
                <Menu.Portal>
                  <Menu.Positioner className={menuStyles['positioner']} sideOffset={4}>
                    <Menu.Popup className={menuStyles['popup']} aria-label="Delete loop">
                      {loops.map((saved) => (
                        <Menu.Item
                          key={`${saved.startSeconds} ${saved.endSeconds}`}
                          className={item}
                          data-danger
                          onClick={() => deleteLoop(trackId, saved)}
                        >
                          {saved.name}
                          {saved.name !== loopBounds(saved) && <kbd>{loopBounds(saved)}</kbd>}
                        </Menu.Item>
                      ))}
                    </Menu.Popup>
                  </Menu.Positioner>
                </Menu.Portal>
              </Menu.SubmenuRoot>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

import { createRow } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { isNeutral } from '../../state/kept-mixes.ts';
import { toast } from '../../state/toasts.state.ts';
import { IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import { setRow } from './keep-mix.ts';

/** How long Undo is offered, in milliseconds. */
const UNDO_MS = 10_000;

/** Button that resets volume, pan, equaliser, mute and solo of all lanes; absent while they are as recorded. */
export function MixReset({ player }: { player: SongPlayer }) {
  const rows = useStore(player.state, (state) => state.rows);
  if (rows.every((row) => isNeutral(row) && !row.isSoloed)) return null;
  const reset = () => {
    for (const [index, row] of rows.entries()) {
      setRow(player, index, createRow(row.type));
      if (row.isSoloed) player.toggleSolo(index);
    }
    const undo = () => {
      for (const [index, row] of rows.entries()) {
        setRow(player, index, row);
        if (row.isSoloed) player.toggleSolo(index);
      }
    };
    toast({
      title: 'Mix reset',
      description: 'Volume, pan, equaliser, mute and solo of all lanes',
      isError: false,
      timeoutMs: UNDO_MS,
      action: { label: 'Undo', perform: undo },
    });
  };
  return (
    <IconButton
      small
      icon="undo"
      label="Reset mix"
      title="Reset volume, pan, equaliser, mute and solo of all lanes"
      onClick={reset}
    />
  );
}

import { gridKeys } from '../panels/grid/grid-keys.ts';
import { mixKeys } from '../panels/track/mix-keys.ts';
import { playerKeys } from '../panels/track/player-keys.ts';
import { KeyListDialog } from '../ui/key-list-dialog.tsx';
import { libraryKeys } from '../ui/library-keys.ts';

const groups = [
  { name: 'Player', keys: playerKeys },
  { name: 'Mix', keys: mixKeys },
  { name: 'Grid & cues', keys: gridKeys },
  { name: 'Library', keys: libraryKeys },
];

/** Keyboard shortcuts of the player, the beat grid and the library. */
export function TrackKeyList({ onClose }: { onClose: () => void }) {
  return <KeyListDialog groups={groups} onClose={onClose} />;
}

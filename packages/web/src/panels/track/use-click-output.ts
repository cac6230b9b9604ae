import { createClickOutput } from '@stem-studio/audio/graph/click-output';
import { Metronome, type MetronomeBeats } from '@stem-studio/audio/metronome/metronome';
import { MixPlayer } from '@stem-studio/audio/player/mix-player';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useEffect, useState } from 'react';

/** Clicks for a player of a whole song while its metronome is on; a player of stems mixes the clicks itself. */
export function useClickOutput(player: SongPlayer | null, clicked: MetronomeBeats): void {
  const [metronome, setMetronome] = useState<Metronome | null>(null);
  useEffect(() => {
    if (!(player instanceof MixPlayer)) return undefined;
    let opened: Metronome | null = null;
    const follow = () => {
      const { isOn } = player.state.getState().metronome;
      if (isOn === (opened !== null)) return;
      opened?.dispose();
      opened = isOn ? new Metronome(player, createClickOutput()) : null;
      setMetronome(opened);
    };
    follow();
    const unsubscribe = player.state.subscribe(follow);
    return () => {
      unsubscribe();
      opened?.dispose();
      setMetronome(null);
    };
  }, [player]);
  useEffect(() => metronome?.follow(clicked), [clicked, metronome]);
}

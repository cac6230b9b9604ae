import { createClickOutput } from '@stem-studio/audio/graph/click-output';
import { Metronome, type MetronomeBeats } from '@stem-studio/audio/metronome/metronome';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useEffect, useState } from 'react';

/** Clicks on the given beats while `isOn` and the component is mounted. */
export function useMetronome(player: SongPlayer | null, clicked: MetronomeBeats, isOn: boolean): void {
  const [metronome, setMetronome] = useState<Metronome | null>(null);
  useEffect(() => {
    if (!player || !isOn) return undefined;
    const opened = new Metronome(player, createClickOutput());
    // oxlint-disable-next-line react/set-state-in-effect -- the effect owns the metronome
    setMetronome(opened);
    return () => {
      setMetronome(null);
      opened.dispose();
    };
  }, [player, isOn]);
  useEffect(() => metronome?.follow(clicked), [clicked, metronome]);
}

import type { MetronomeBeats } from '@stem-studio/audio/metronome/metronome';
import { createPlayerState, type PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from '../../ui/use-store.ts';

const noPlayer = createStore((): PlayerState => createPlayerState([]));

/** Whether the metronome of a player is on, and how to switch it; it clicks on the given beats. */
export function useMetronome(
  player: SongPlayer | null,
  beats: MetronomeBeats,
): { readonly isOn: boolean; readonly toggle: () => void } {
  const { isOn, gain } = useStore(player?.state ?? noPlayer, (state) => state.metronome);
  useEffect(() => player?.setBeats(beats), [player, beats]);
  return { isOn, toggle: () => player?.setMetronome({ isOn: !isOn, gain }) };
}

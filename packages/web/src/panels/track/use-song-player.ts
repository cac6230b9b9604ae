import { createStemMixerNode } from '@stem-studio/audio/graph/stem-mixer-node';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import { MixPlayer } from '@stem-studio/audio/player/mix-player';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { StemPlayer } from '@stem-studio/audio/player/stem-player';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { useEffect, useRef, useState } from 'react';
import { fileAddress } from '../../client/peaks-query.ts';
import { sortStems } from '../../ui/stem-order.ts';

/**
 * Returns a player of the stems, or of the mix (`mixPath`) while there are no stems; null while neither is known. A player
 * that replaces another one continues at its position.
 */
export function useSongPlayer(stems: readonly Stem[], mixPath: string | null): SongPlayer | null {
  const [player, setPlayer] = useState<SongPlayer | null>(null);
  const previous = useRef({ seconds: 0, wasPlaying: false });
  useEffect(() => {
    const opened = openPlayer(stems, mixPath);
    // oxlint-disable-next-line react/set-state-in-effect -- the effect owns the player
    setPlayer(opened);
    if (!opened) return undefined;
    if (previous.current.seconds > 0) opened.seek(previous.current.seconds);
    if (previous.current.wasPlaying) opened.play();
    return () => {
      const { transport } = opened.state.getState();
      previous.current = {
        seconds: opened.positionSeconds(),
        wasPlaying: transport === 'playing' || transport === 'buffering',
      };
      opened.dispose();
    };
  }, [stems, mixPath]);
  return player;
}

function openPlayer(stems: readonly Stem[], mixPath: string | null): SongPlayer | null {
  if (stems.length > 0) {
    return new StemPlayer({
      stems: sortStems(stems).map((stem) => ({
        type: stem.stem_type,
        address: fileAddress(stem.file_path),
      })),
      fetchRange,
      createEngine: createStemMixerNode,
    });
  }
  return mixPath === null ? null : new MixPlayer(fileAddress(mixPath), new Audio());
}

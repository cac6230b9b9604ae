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
 * A player of the stems, or of the whole song (`mixPath`) while there are none; null while neither is known. When the
 * stems come while one is listening, they go on where the song was.
 */
export function useSongPlayer(stems: readonly Stem[], mixPath: string | null): SongPlayer | null {
  const [player, setPlayer] = useState<SongPlayer | null>(null);
  const left = useRef({ seconds: 0, wasPlaying: false });
  useEffect(() => {
    const opened = openPlayer(stems, mixPath);
    // oxlint-disable-next-line react/set-state-in-effect -- the player begins and ends with this effect
    setPlayer(opened);
    if (!opened) return undefined;
    if (left.current.seconds > 0) opened.seek(left.current.seconds);
    if (left.current.wasPlaying) opened.play();
    return () => {
      const { transport } = opened.state.getState();
      left.current = {
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

import { Scope } from '@stem-studio/audio/base/scope';
import { mixOutputs } from '@stem-studio/audio/graph/mix-outputs';
import { createStemMixerNode } from '@stem-studio/audio/graph/stem-mixer-node';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import { MixPlayer } from '@stem-studio/audio/player/mix-player';
import { isRunning } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { StemPlayer } from '@stem-studio/audio/player/stem-player';
import type { StemSetSource } from '@stem-studio/audio/player/stem-set';
import type { Separation } from '@stem-studio/contract/resources/separation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { fileAddress } from '../../client/peaks-query.ts';
import { sortStems } from '../../ui/stem-order.ts';
import { keepMix } from './keep-mix.ts';

/**
 * Returns a player of a separation, or of the mix (`mixPath`) where there is none; null while neither is known. It
 * switches to another separation of the track by itself. A player that replaces another one continues at its position.
 * Tempo, key and rows are as they were left.
 */
export function useSongPlayer(
  trackId: string,
  separation: Separation | null,
  mixPath: string | null,
): SongPlayer | null {
  const [player, setPlayer] = useState<SongPlayer | null>(null);
  const previous = useRef({ seconds: 0, wasPlaying: false });
  const hasStems = separation !== null;
  const open = useEffectEvent((playsStems: boolean, path: string | null) => {
    if (playsStems && separation) return openStems(separation);
    return path === null ? null : new MixPlayer(fileAddress(path), new Audio(), mixOutputs);
  });
  const songPath = hasStems ? null : mixPath;
  useEffect(() => {
    const opened = open(hasStems, songPath);
    // oxlint-disable-next-line react/set-state-in-effect -- the effect owns the player
    setPlayer(opened);
    if (!opened) return undefined;
    const scope = new Scope();
    keepMix(scope, opened, trackId);
    if (previous.current.seconds > 0) opened.seek(previous.current.seconds);
    if (previous.current.wasPlaying) opened.play();
    return () => {
      const { transport } = opened.state.getState();
      previous.current = {
        seconds: opened.positionSeconds(),
        wasPlaying: isRunning(transport),
      };
      scope.dispose();
      opened.dispose();
    };
  }, [trackId, hasStems, songPath]);
  useEffect(() => {
    if (separation && player instanceof StemPlayer) player.show(sourceOf(separation));
  }, [player, separation]);
  return player;
}

function sourceOf({ job_id, stems }: Separation): StemSetSource {
  return {
    id: job_id,
    stems: sortStems(stems).map((stem) => ({ type: stem.stem_type, address: fileAddress(stem.file_path) })),
  };
}

function openStems(separation: Separation): StemPlayer {
  const { id, stems } = sourceOf(separation);
  return new StemPlayer({ separation: id, stems, fetchRange, createEngine: createStemMixerNode });
}

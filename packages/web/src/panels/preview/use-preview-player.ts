import { Scope } from '@stem-studio/audio/base/scope';
import { mixOutputs } from '@stem-studio/audio/graph/mix-outputs';
import { MixPlayer } from '@stem-studio/audio/player/mix-player';
import { isRunning } from '@stem-studio/audio/player/player-state';
import { useEffect, useState } from 'react';
import { fileAddress } from '../../client/peaks-query.ts';
import { countPlay, PlayCounter } from '../../state/count-plays.ts';
import { releaseOutput, takeOutput } from '../../state/output-use.state.ts';
import { type Preview, previewTransport } from '../../state/preview.state.ts';

/** Interval at which playing time is counted, in milliseconds. */
const COUNT_MS = 250;

/** The player of a preview, and how to start it with regard to what else plays. */
export interface PreviewPlayer {
  readonly trackId: string;
  readonly player: MixPlayer;
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
}

/** Volume of the mini player, 0 to 1; it stays for the next track. */
let volume = 1;
/** Headphone output that the user chose, or null for the master output. */
let outputId: string | null = null;

/** Opens a player for a preview, starts it, and counts plays; null until it is open. A new request of the same track seeks. */
export function usePreviewPlayer(preview: Preview, onEnded: () => void): PreviewPlayer | null {
  const [opened, setOpened] = useState<PreviewPlayer | null>(null);
  const { track, from, request } = preview;
  const path = track.audio?.file_path ?? null;
  useEffect(() => {
    if (path === null) return undefined;
    const scope = new Scope();
    const next = open(scope, track.id, track.title, path);
    // oxlint-disable-next-line react/set-state-in-effect -- the effect owns the player
    setOpened(next);
    previewTransport.setState({ open: next });
    return () => {
      scope.dispose();
      previewTransport.setState({ open: null });
      setOpened(null);
    };
  }, [track.id, track.title, path]);
  useEffect(() => {
    // The player of the track before is closed already.
    if (!opened || opened.trackId !== track.id) return undefined;
    // The length of the audio itself is not known yet.
    opened.player.seek(from * (opened.player.state.getState().durationSeconds || track.duration));
    opened.play();
    return undefined;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new request starts the player
  }, [opened, request]);
  useEffect(() => {
    if (!opened) return undefined;
    return opened.player.state.subscribe(({ transport }, before) => {
      if (transport === 'ended' && before.transport !== 'ended') onEnded();
    });
  }, [opened, onEnded]);
  return opened;
}

function open(scope: Scope, trackId: string, title: string, path: string): PreviewPlayer {
  const element = new Audio();
  const player = new MixPlayer(fileAddress(path), element, mixOutputs);
  player.setMasterVolume(volume);
  scope.own(() => player.dispose());
  const start = async (id: string | null) => {
    outputId = id;
    if (id !== null) await element.setSinkId(id).catch(() => (outputId = null));
    // Without the headphones it would play over the decks.
    if (id !== null && outputId === null) releaseOutput('preview');
    else player.play();
  };
  const pause = () => player.pause();
  const output = {
    title,
    canUseHeadphones: 'setSinkId' in element,
    start: (id: string | null) => void start(id),
    pause,
  };
  const play = () => {
    if (takeOutput('preview', output)) void start(outputId);
  };
  const counter = new PlayCounter((id) => countPlay(id, 'player'));
  scope.own(
    player.state.subscribe(({ transport, masterVolume }, before) => {
      volume = masterVolume;
      if (transport === before.transport) return;
      if (transport === 'ended') counter.restart();
      if (transport === 'paused' || transport === 'ended') releaseOutput('preview');
    }),
  );
  scope.own(() => releaseOutput('preview'));
  scope.every(COUNT_MS, () => {
    const { transport, durationSeconds } = player.state.getState();
    if (transport === 'playing') counter.add(trackId, COUNT_MS / 1000, durationSeconds);
  });
  return {
    trackId,
    player,
    play,
    pause,
    toggle: () => (isRunning(player.state.getState().transport) ? pause() : play()),
  };
}

import { isRunning } from '@stem-studio/audio/player/player-state';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type PointerEvent, useCallback, useEffect, useRef } from 'react';
import { clockText } from '../../base/format.ts';
import { drawPeaks } from '../../canvas/draw-peaks.ts';
import { peaksQuery } from '../../client/peaks-query.ts';
import { closePreview, type Preview, preview, startPreview, trackBeside } from '../../state/preview.state.ts';
import { goTo, route } from '../../state/route.state.ts';
import { IconButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './mini-player.module.css';
import { openProgress } from './preview-progress.ts';
import { usePreviewKeys } from './use-preview-keys.ts';
import { type PreviewPlayer, usePreviewPlayer } from './use-preview-player.ts';

/** Mini player of the library: plays a track while the user browses. */
export function MiniPlayer() {
  const now = useStore(preview, (state) => state.now);
  return now && <OpenPreview now={now} />;
}

function OpenPreview({ now }: { now: Preview }) {
  const client = useQueryClient();
  const isCovered = useStore(route, (state) => state.track !== null);
  const go = useCallback(
    (step: 1 | -1) => {
      const { view, index } = now;
      void trackBeside(client, view, index, step).then((found) => {
        // Another track may have been started meanwhile.
        if (found && preview.getState().now === now) startPreview(found.track, view, found.index);
      });
    },
    [client, now],
  );
  const playNext = useCallback(() => go(1), [go]);
  const opened = usePreviewPlayer(now, playNext);
  useEffect(() => {
    // The track page has its own player.
    if (isCovered) opened?.pause();
  }, [isCovered, opened]);
  if (isCovered || !opened) return null;
  return <Bar key={opened.trackId} now={now} opened={opened} onStep={go} />;
}

function Bar({
  now: { track },
  opened,
  onStep,
}: {
  now: Preview;
  opened: PreviewPlayer;
  onStep: (step: 1 | -1) => void;
}) {
  const { player, toggle } = opened;
  const state = useStore(player.state, (all) => all);
  const isPlaying = isRunning(state.transport);
  usePreviewKeys(toggle);
  return (
    <section className={styles['bar']} aria-label="Mini player" data-mini-player>
      <Cover url={track.album_art_url} />
      <div className={styles['names']}>
        <button
          type="button"
          className={styles['title']}
          title="Open track"
          onClick={() => goTo({ track: track.id })}
        >
          {track.title}
        </button>
        <span className={styles['artist']}>{track.artist}</span>
      </div>
      <div className={styles['buttons']}>
        <IconButton small icon="previous" label="Previous track" onClick={() => onStep(-1)} />
        <IconButton
          look="primary"
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
          onClick={toggle}
        />
        <IconButton small icon="next" label="Next track" onClick={() => onStep(1)} />
      </div>
      <Timeline opened={opened} track={track} />
      <p className={styles['state']} role="status">
        {state.status === 'failed' ? `Stopped: ${state.error}` : ''}
      </p>
      <label className={styles['volume']}>
        <Icon name="volume" size={18} />
        <span className="visually-hidden">Volume</span>
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round(state.masterVolume * 100)}
          onChange={(event) => player.setMasterVolume(Number(event.target.value) / 100)}
        />
      </label>
      <IconButton small icon="close" label="Close mini player" onClick={closePreview} />
    </section>
  );
}

/** Seconds by which an arrow key moves. */
const KEY_SECONDS = 5;

function Timeline({ opened: { player }, track }: { opened: PreviewPlayer; track: Preview['track'] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const peaks = useQuery(peaksQuery(track.audio?.peaks_path ?? null)).data ?? null;
  const duration = useStore(player.state, (state) => state.durationSeconds) || track.duration;
  useScope(
    (scope) => {
      const drawn = canvas.current;
      if (!drawn) return;
      scope.onResize(drawn, () => drawPeaks(drawn, drawn.clientWidth, drawn.clientHeight, peaks));
    },
    [peaks],
  );
  useScope(
    (scope) => {
      if (slider.current && time.current) openProgress(scope, player, slider.current, time.current);
    },
    [player],
  );
  const seek = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    player.seek(Math.min(1, Math.max(0, (event.clientX - left) / width)) * duration);
  };
  return (
    <>
      <div
        ref={slider}
        className={styles['timeline']}
        role="slider"
        aria-label="Position"
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={0}
        tabIndex={0}
        onPointerDown={seek}
        onPointerMove={seek}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
          if (step === 0) return;
          event.preventDefault();
          player.seek(player.positionSeconds() + step * KEY_SECONDS);
        }}
      >
        <canvas ref={canvas} className={styles['wave']} aria-hidden="true" />
        <div className={styles['played']} />
      </div>
      <span className={styles['time']}>
        <span ref={time}>0:00</span> / {clockText(duration)}
      </span>
    </>
  );
}

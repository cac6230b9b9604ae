import { effectiveGain, type PlayerRow } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { useRef, useState } from 'react';
import { stemColor, stemName } from '../../base/stem-color.ts';
import { openLaneCanvas } from '../../canvas/lane-canvas.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import type { TimeView } from '../../state/time-view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { StemExports, type StemNotes } from './export-menu.tsx';
import { LaneKnobs } from './lane-knobs.tsx';
import styles from './mix-panel.module.css';
import range from './range.module.css';

/** What all lanes of a song show. */
export interface LaneSong {
  readonly view: TimeView;
  /** Waveform of the whole song. */
  readonly mix: DrawablePeaks | null;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** One stem: name, mute, solo, pan, EQ, fader, level and waveform. M and S act on the row with the focus. */
export function LaneRow({
  player,
  row,
  rows,
  index,
  song,
  stem,
  notes,
  hasKnobs,
}: {
  player: SongPlayer;
  row: PlayerRow;
  rows: readonly PlayerRow[];
  index: number;
  song: LaneSong;
  stem: Stem | null;
  notes: StemNotes;
  /** Whether pan and EQ are shown. */
  hasKnobs: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scale, setScale] = useState(1);
  useScope(
    (scope) => {
      if (!canvas.current) return;
      openLaneCanvas(scope, canvas.current, {
        player,
        row: index,
        mix: song.mix,
        beats: song.beats,
        downbeats: song.downbeats,
        window: () => song.view.window,
        durationSeconds: () => song.view.durationSeconds,
        onScale: setScale,
      });
    },
    [player, index, song],
  );
  const name = row.type === 'mix' ? 'Whole song' : stemName(row.type);
  const isMix = row.type === 'mix';
  const percent = Math.round(row.volume * 100);
  const most = isMix ? 100 : 200;
  return (
    <div
      className={styles['row']}
      role="group"
      aria-label={name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- M and S act on the row that has the focus
      tabIndex={0}
      data-row={index}
      data-silent={effectiveGain(row, rows) === 0}
      style={{ color: stemColor(row.type) }}
    >
      <div className={styles['strip']} data-knobs={hasKnobs}>
        <span className={styles['name']}>
          <span className={styles['swatch']} />
          <span className={styles['label']}>{name}</span>
          <span className={styles['meter']} aria-hidden="true">
            <span data-meter />
          </span>
        </span>
        <button
          type="button"
          className={buttonClass({ small: true }, true)}
          data-letter="m"
          aria-pressed={row.isMuted}
          aria-label={`Mute ${name}`}
          title="Mute (M)"
          onClick={() => player.toggleMute(index)}
        >
          M
        </button>
        {!isMix && (
          <button
            type="button"
            className={buttonClass({ small: true }, true)}
            data-letter="s"
            aria-pressed={row.isSoloed}
            aria-label={`Solo ${name}`}
            title={`Solo (S, ${index + 1})`}
            onClick={() => player.toggleSolo(index)}
          >
            S
          </button>
        )}
        {hasKnobs && <LaneKnobs player={player} row={row} index={index} name={name} />}
        <input
          type="range"
          className={range['range']}
          min={0}
          max={most}
          value={percent}
          aria-label={`Volume of ${name}`}
          aria-valuetext={`${percent} percent`}
          title="Double-click: 100 %"
          style={{ ['--part' as string]: `${(percent / most) * 100}%` }}
          onChange={(event) => player.setVolume(index, Number(event.target.value) / 100)}
          onDoubleClick={() => player.setVolume(index, 1)}
        />
        <span className={styles['percent']}>{percent} %</span>
        {stem && <StemExports stem={stem} name={name} notes={notes} />}
      </div>
      <canvas ref={canvas} className={styles['wave']} aria-hidden="true" />
      {scale > 1 && (
        <span className={styles['scale']} title={`Waveform enlarged ${scale} times, so that it is readable`}>
          ×{scale}
        </span>
      )}
    </div>
  );
}

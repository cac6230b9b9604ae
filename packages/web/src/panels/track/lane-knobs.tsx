import { type EqBand, MAX_EQ_DB, MIN_EQ_DB, type PlayerRow } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { signedText } from '../../base/format.ts';
import { Knob } from '../../ui/knob.tsx';
import type { SliderRange } from '../../ui/slider-range.ts';
import styles from './mix-panel.module.css';

const panRange: SliderRange = { min: -100, max: 100, rest: 0, step: 5 };
/** The lowest position kills the band. */
const eqRange: SliderRange = { min: MIN_EQ_DB - 1, max: MAX_EQ_DB, rest: 0, step: 1 };

const bands: readonly { readonly band: EqBand; readonly label: string; readonly name: string }[] = [
  { band: 'low', label: 'LOW', name: 'Low' },
  { band: 'mid', label: 'MID', name: 'Mid' },
  { band: 'high', label: 'HIGH', name: 'High' },
];

/** Returns a pan position, −100 to 100, as text: `L 30`, `C`, `R 100`. */
export function panText(percent: number): string {
  const rounded = Math.round(percent);
  if (rounded === 0) return 'C';
  return `${rounded < 0 ? 'L' : 'R'} ${Math.abs(rounded)}`;
}

/** Returns the gain of an equaliser band as text: `+3 dB`, `off` where it is killed. */
export function eqText(gainDb: number): string {
  return gainDb === Number.NEGATIVE_INFINITY ? 'off' : `${signedText(Math.round(gainDb))} dB`;
}

/** Pan and three-band equaliser of a lane. */
export function LaneKnobs({
  player,
  row,
  index,
  name,
}: {
  player: SongPlayer;
  row: PlayerRow;
  index: number;
  name: string;
}) {
  return (
    <span className={styles['knobs']}>
      <Knob
        label="PAN"
        name={`Pan of ${name}`}
        value={Math.round(row.pan * 100)}
        range={panRange}
        text={panText(row.pan * 100)}
        isSmall
        onChange={(percent) => player.setPan(index, Math.round(percent) / 100)}
      />
      {bands.map(({ band, label, name: bandName }) => (
        <Knob
          key={band}
          label={label}
          name={`${bandName} EQ of ${name}`}
          value={Math.max(eqRange.min, row.eq[band])}
          range={eqRange}
          text={eqText(row.eq[band])}
          isSmall
          isOff={row.eq[band] === Number.NEGATIVE_INFINITY}
          onChange={(gainDb) =>
            player.setEq(index, band, gainDb < MIN_EQ_DB ? Number.NEGATIVE_INFINITY : gainDb)
          }
        />
      ))}
    </span>
  );
}

import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { Lane } from '@stem-studio/contract/resources/project';
import { stemType } from '@stem-studio/contract/resources/stem';
import { stemColor, stemName } from '../../base/stem-color.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Fader } from '../../ui/fader.tsx';
import { Knob } from '../../ui/knob.tsx';
import styles from './editor.module.css';
import { useSettled } from './use-settled.ts';

const volumeRange = { min: 0, max: 200, rest: 100, step: 5 };
const panRange = { min: -100, max: 100, rest: 0, step: 10 };

/** Returns the text of a pan position: `C`, `20 L` or `35 R`. */
function panText(pan: number): string {
  if (Math.round(pan) === 0) return 'C';
  return `${Math.abs(Math.round(pan))} ${pan < 0 ? 'L' : 'R'}`;
}

/** Name, mute, solo, volume and pan of a lane. A click on solo replaces the others, with Ctrl it is added. */
export function LaneHeader({
  lane,
  lanes,
  isSelected,
  isReadOnly,
  onSelect,
  onEdit,
  onMove,
}: {
  lane: Lane;
  lanes: readonly Lane[];
  isSelected: boolean;
  isReadOnly: boolean;
  onSelect: () => void;
  onEdit: (edit: Edit) => void;
  /** Plays volume and pan while they are moved, before they are saved. */
  onMove: (volume: number, pan: number) => void;
}) {
  const source = stemType.safeParse(lane.id).data ?? 'mix';
  const name = stemName(source);
  const onLane = { stem_type: lane.id };
  const solo = (isAdded: boolean) => {
    const value = lane.is_soloed ? 0 : 1;
    const others = lanes.filter(({ id, is_soloed }) => is_soloed && id !== lane.id).map(({ id }) => id);
    if (!isAdded && value === 1 && others.length > 0)
      onEdit({ operation: 'solo', params: { lanes: others, value: 0 } });
    onEdit({ operation: 'solo', params: { ...onLane, value } });
  };
  const volume = useSettled(lane.volume, (value) =>
    onEdit({ operation: 'volume', params: { ...onLane, value } }),
  );
  const pan = useSettled(lane.pan, (value) => onEdit({ operation: 'pan', params: { ...onLane, value } }));
  return (
    <div
      className={styles['lane']}
      role="group"
      aria-label={name}
      data-selected={isSelected}
      inert={isReadOnly}
      style={{ color: stemColor(source) }}
    >
      <div className={styles['title']}>
        <button type="button" className={styles['name']} aria-pressed={isSelected} onClick={onSelect}>
          <span className={styles['swatch']} style={{ background: stemColor(source) }} />
          {name}
        </button>
        <div className={styles['meter']} data-meter={lane.id} aria-hidden="true" />
      </div>
      <button
        type="button"
        className={buttonClass({ small: true }, true)}
        aria-pressed={lane.is_muted}
        aria-label={`Mute ${name}`}
        title="Mute (M)"
        onClick={() => onEdit({ operation: 'mute', params: { ...onLane, value: lane.is_muted ? 0 : 1 } })}
      >
        M
      </button>
      <button
        type="button"
        className={buttonClass({ small: true }, true)}
        aria-pressed={lane.is_soloed}
        aria-label={`Solo ${name}`}
        title="Solo (Ctrl: add)"
        onClick={(event) => solo(event.ctrlKey || event.metaKey)}
      >
        S
      </button>
      <div className={styles['volume']}>
        <Fader
          name={`Volume of ${name}`}
          axis="x"
          value={volume.value}
          range={volumeRange}
          text={`${Math.round(volume.value)} %`}
          onChange={(value) => {
            onMove(value, pan.value);
            volume.change(value);
          }}
        />
      </div>
      <span className={styles['percent']}>{Math.round(volume.value)} %</span>
      <Knob
        label=""
        name={`Pan of ${name}`}
        value={pan.value}
        range={panRange}
        text={panText(pan.value)}
        isSmall
        onChange={(value) => {
          onMove(volume.value, value);
          pan.change(value);
        }}
      />
    </div>
  );
}

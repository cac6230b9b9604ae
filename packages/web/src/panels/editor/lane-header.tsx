import type { StripChange } from '@stem-studio/audio/editor/edit-player';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { ReverbSettings } from '@stem-studio/contract/resources/lane-effects';
import type { Lane } from '@stem-studio/contract/resources/project';
import { stemType } from '@stem-studio/contract/resources/stem';
import { stemColor, stemName } from '../../base/stem-color.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { Fader } from '../../ui/fader.tsx';
import { Knob } from '../../ui/knob.tsx';
import styles from './editor.module.css';
import { LaneEffects } from './lane-effects.tsx';
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
  reverb,
  isSelected,
  isReadOnly,
  hasNotesOpen,
  onNotes,
  onSelect,
  onEdit,
  onMove,
}: {
  lane: Lane;
  /** Reverb that all lanes share. */
  reverb: ReverbSettings;
  isSelected: boolean;
  isReadOnly: boolean;
  /** Whether its notes are shown in the piano roll. */
  hasNotesOpen: boolean;
  onNotes: () => void;
  onSelect: () => void;
  onEdit: (edit: Edit) => void;
  /** Plays a value of the channel strip while it is moved, before it is saved. */
  onMove: (change: StripChange) => void;
}) {
  const source = stemType.safeParse(lane.id).data ?? 'mix';
  const name = stemName(source);
  const onLane = { stem_type: lane.id };
  const solo = (isAdded: boolean) =>
    onEdit({
      operation: 'solo',
      params: { ...onLane, value: lane.is_soloed ? 0 : 1, ...(!isAdded && { is_exclusive: true }) },
    });
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
      <IconButton
        small
        icon="music"
        label={`Notes of ${name}`}
        title="Notes (N)"
        aria-pressed={hasNotesOpen}
        onClick={onNotes}
      />
      <LaneEffects lane={lane} name={name} reverb={reverb} onEdit={onEdit} onMove={onMove} />
      <div className={styles['volume']}>
        <Fader
          name={`Volume of ${name}`}
          axis="x"
          value={volume.value}
          range={volumeRange}
          text={`${Math.round(volume.value)} %`}
          onChange={(value) => {
            onMove({ volume: value });
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
          onMove({ pan: value });
          pan.change(value);
        }}
      />
    </div>
  );
}

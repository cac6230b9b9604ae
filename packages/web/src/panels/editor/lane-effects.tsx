import { Popover } from '@base-ui/react/popover';
import type { StripChange } from '@stem-studio/audio/editor/edit-player';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import {
  type LaneCompressor,
  newCompressor,
  type ReverbSettings,
} from '@stem-studio/contract/resources/lane-effects';
import type { Lane } from '@stem-studio/contract/resources/project';
import { buttonClass } from '../../ui/button.tsx';
import { Fader } from '../../ui/fader.tsx';
import type { SliderRange } from '../../ui/slider-range.ts';
import styles from './lane-effects.module.css';
import { useSettled } from './use-settled.ts';

const eqRange = { min: -24, max: 12, rest: 0, step: 1 };
const bands = [
  { key: 'low_db', label: 'Low' },
  { key: 'mid_db', label: 'Mid' },
  { key: 'high_db', label: 'High' },
] as const;

/** Value of a compressor or reverb with its range and unit. */
interface EffectValue<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly range: SliderRange;
  readonly text: (value: number) => string;
}

const dbText = (value: number) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(Math.round(value * 10) / 10)} dB`;
const msText = (value: number) => `${Math.round(value)} ms`;
const compressorValues: readonly EffectValue<keyof LaneCompressor>[] = [
  { key: 'threshold_db', label: 'Threshold', range: { min: -60, max: 0, rest: -20, step: 1 }, text: dbText },
  {
    key: 'ratio',
    label: 'Ratio',
    range: { min: 1, max: 20, rest: 3, step: 0.5 },
    text: (value) => `${Math.round(value * 10) / 10}:1`,
  },
  { key: 'attack_ms', label: 'Attack', range: { min: 1, max: 200, rest: 10, step: 1 }, text: msText },
  { key: 'release_ms', label: 'Release', range: { min: 5, max: 2000, rest: 120, step: 10 }, text: msText },
  { key: 'makeup_db', label: 'Make-up gain', range: { min: 0, max: 24, rest: 0, step: 1 }, text: dbText },
];
const reverbValues: readonly EffectValue<keyof ReverbSettings>[] = [
  {
    key: 'decay_s',
    label: 'Decay',
    range: { min: 0.2, max: 10, rest: 1.8, step: 0.1 },
    text: (value) => `${Math.round(value * 10) / 10} s`,
  },
  {
    key: 'damping',
    label: 'Damping',
    range: { min: 0, max: 1, rest: 0.4, step: 0.05 },
    text: (value) => `${Math.round(value * 100)} %`,
  },
  { key: 'pre_delay_ms', label: 'Pre-delay', range: { min: 0, max: 200, rest: 15, step: 5 }, text: msText },
];

/** A labelled fader of the popup. */
function EffectFader({
  label,
  name,
  value,
  range,
  text,
  isFromRest = false,
  onChange,
}: {
  label: string;
  name: string;
  value: number;
  range: SliderRange;
  text: string;
  isFromRest?: boolean;
  onChange: (value: number) => void;
}) {
  return (
    <div className={styles['row']}>
      <span aria-hidden="true">{label}</span>
      <Fader
        name={name}
        axis="x"
        value={value}
        range={range}
        text={text}
        isFromRest={isFromRest}
        onChange={onChange}
      />
      <span className={styles['value']}>{text}</span>
    </div>
  );
}

/** Button with the equaliser, compressor and reverb of a lane; lit where one of them changes the sound. */
export function LaneEffects({
  lane,
  name,
  reverb,
  onEdit,
  onMove,
}: {
  lane: Lane;
  /** Name of the lane. */
  name: string;
  /** Reverb that all lanes share. */
  reverb: ReverbSettings;
  onEdit: (edit: Edit) => void;
  /** Plays a value while it is moved, before it is saved. */
  onMove: (change: StripChange) => void;
}) {
  const { eq: laneEq, compressor: laneCompressor, reverb_send } = lane;
  const isOn = laneCompressor !== null || reverb_send > 0 || bands.some(({ key }) => laneEq[key] !== 0);
  return (
    <Popover.Root>
      <Popover.Trigger
        className={`${buttonClass({ small: true }, true)} ${styles['trigger']}`}
        aria-label={`FX of ${name}`}
        title="Equaliser, compressor, reverb"
        data-on={isOn}
      >
        FX
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles['positioner']} side="right" align="center" sideOffset={8}>
          <Popover.Popup className={styles['popup']}>
            <Popover.Title className={styles['title']}>{`Effects of ${name}`}</Popover.Title>
            <Strip lane={lane} name={name} onEdit={onEdit} onMove={onMove} />
            <Equaliser lane={lane} name={name} onEdit={onEdit} onMove={onMove} />
            <CompressorPart lane={lane} name={name} onEdit={onEdit} onMove={onMove} />
            <ReverbPart reverb={reverb} onEdit={onEdit} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface PartProps {
  lane: Lane;
  name: string;
  onEdit: (edit: Edit) => void;
  onMove: (change: StripChange) => void;
}

/** Volume, pan and reverb send: on a phone the lane has no space for the first two. */
function Strip({ lane, name, onEdit, onMove }: PartProps) {
  const onLane = { stem_type: lane.id };
  const volume = useSettled(lane.volume, (value) =>
    onEdit({ operation: 'volume', params: { ...onLane, value } }),
  );
  const pan = useSettled(lane.pan, (value) => onEdit({ operation: 'pan', params: { ...onLane, value } }));
  const send = useSettled(lane.reverb_send, (value) =>
    onEdit({ operation: 'reverb_send', params: { ...onLane, value } }),
  );
  return (
    <>
      <EffectFader
        label="Volume"
        name={`Volume of ${name}`}
        value={volume.value}
        range={{ min: 0, max: 200, rest: 100, step: 5 }}
        text={`${Math.round(volume.value)} %`}
        onChange={(value) => {
          onMove({ volume: value });
          volume.change(value);
        }}
      />
      <EffectFader
        label="Pan"
        name={`Pan of ${name}`}
        value={pan.value}
        range={{ min: -100, max: 100, rest: 0, step: 10 }}
        text={`${Math.abs(Math.round(pan.value))}${pan.value < 0 ? ' L' : pan.value > 0 ? ' R' : ''}`}
        isFromRest
        onChange={(value) => {
          onMove({ pan: value });
          pan.change(value);
        }}
      />
      <EffectFader
        label="Reverb send"
        name={`Reverb send of ${name}`}
        value={send.value}
        range={{ min: 0, max: 100, rest: 0, step: 5 }}
        text={`${Math.round(send.value)} %`}
        onChange={(value) => {
          onMove({ reverb_send: value });
          send.change(value);
        }}
      />
    </>
  );
}

function Equaliser({ lane, name, onEdit, onMove }: PartProps) {
  const eq = useSettled(lane.eq, (value) =>
    onEdit({ operation: 'eq', params: { stem_type: lane.id, ...value } }),
  );
  return (
    <fieldset className={styles['part']}>
      <legend>Equaliser</legend>
      {bands.map(({ key, label }) => (
        <EffectFader
          key={key}
          label={label}
          name={`${label} of ${name}`}
          value={eq.value[key]}
          range={eqRange}
          text={eq.value[key] <= eqRange.min ? 'off' : dbText(eq.value[key])}
          isFromRest
          onChange={(value) => {
            const next = { ...eq.value, [key]: value };
            onMove({ eq: next });
            eq.change(next);
          }}
        />
      ))}
    </fieldset>
  );
}

function CompressorPart({ lane, name, onEdit, onMove }: PartProps) {
  const save = (value: LaneCompressor | null) =>
    onEdit({ operation: 'compressor', params: { stem_type: lane.id, value } });
  const compressor = useSettled(lane.compressor, save);
  const { value } = compressor;
  return (
    <fieldset className={styles['part']}>
      <legend>
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={value !== null}
            onChange={(event) => save(event.target.checked ? newCompressor : null)}
          />
          Compressor
        </label>
      </legend>
      {value &&
        compressorValues.map(({ key, label, range, text }) => (
          <EffectFader
            key={key}
            label={label}
            name={`${label} of ${name}`}
            value={value[key]}
            range={range}
            text={text(value[key])}
            onChange={(moved) => {
              const next = { ...value, [key]: moved };
              onMove({ compressor: next });
              compressor.change(next);
            }}
          />
        ))}
    </fieldset>
  );
}

function ReverbPart({ reverb, onEdit }: { reverb: ReverbSettings; onEdit: (edit: Edit) => void }) {
  const settings = useSettled(reverb, (value) => onEdit({ operation: 'reverb', params: value }));
  return (
    <fieldset className={styles['part']}>
      <legend>Reverb, shared by all lanes</legend>
      {reverbValues.map(({ key, label, range, text }) => (
        <EffectFader
          key={key}
          label={label}
          name={`${label} of the reverb`}
          value={settings.value[key]}
          range={range}
          text={text(settings.value[key])}
          onChange={(moved) => settings.change({ ...settings.value, [key]: moved })}
        />
      ))}
    </fieldset>
  );
}

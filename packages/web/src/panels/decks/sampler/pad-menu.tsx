import { Popover } from '@base-ui/react/popover';
import type { SamplerPad } from '@stem-studio/contract/resources/sampler-pad';
import { samplerBounds } from '@stem-studio/contract/resources/sampler-pad';
import { padNumbers } from '@stem-studio/contract/sampler-controls';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SelectField } from '../../../ui/select.tsx';
import { useStore } from '../../../ui/use-store.ts';
import { ControlKnob } from '../control-parts.tsx';
import { useDjEngine } from '../dj-context.ts';
import { signed } from '../labels.ts';
import { usePopupPosition } from '../lower/use-popup-position.ts';
import popupStyles from '../popup.module.css';
import { CaptureSelect } from './capture-select.tsx';
import { fillFromFile } from './fill-from-file.ts';
import styles from './sampler-panel.module.css';

const beatCounts = ['1', '2', '3', '4', '8', '16', '32', '64'] as const;

/** Button of a pad that opens its settings, and the ways to fill it. */
export function PadMenu({ index }: { index: number }) {
  const number = index + 1;
  const popup = usePopupPosition();
  return (
    <Popover.Root>
      <Popover.Trigger
        className={styles['more']}
        aria-label={`Settings of pad ${number}`}
        title="Pad settings"
      >
        <Icon name="more" size={14} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner
          className={popupStyles['positioner']}
          side="top"
          sideOffset={4}
          collisionPadding={8}
          {...popup}
        >
          <Popover.Popup className={`${popupStyles['popup']} ${styles['popup']}`}>
            <Popover.Title className={popupStyles['title']}>Pad {number}</Popover.Title>
            <PadSettings index={index} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PadSettings({ index }: { index: number }) {
  const { sampler } = useDjEngine();
  const view = useStore(sampler.state, ({ pads }) => pads[index]);
  const isHere = useStore(sampler.state, (state) => state.isHere);
  const file = useRef<HTMLInputElement>(null);
  if (!view) return null;
  const { settings, isDefault } = view;
  const edit = (changes: Partial<SamplerPad>) => sampler.edit(index, changes);
  const beats = settings.beats === null ? 'none' : String(settings.beats);
  const counts =
    beatCounts.some((count) => count === beats) || beats === 'none' ? beatCounts : [beats, ...beatCounts];
  return (
    <>
      <div className={styles['fields']}>
        <NameField key={settings.name} index={index} name={settings.name} />
        <label className={styles['color']}>
          Colour
          <input
            type="color"
            value={settings.color}
            onChange={({ currentTarget }) => edit({ color: currentTarget.value })}
          />
        </label>
        <SelectField
          label="Press"
          value={settings.mode}
          options={[
            { value: 'one-shot', label: 'Plays once' },
            { value: 'hold', label: 'Plays while held' },
            { value: 'loop', label: 'Loops until pressed' },
          ]}
          onChange={(mode) => edit({ mode })}
        />
        <SelectField
          label="Start"
          value={settings.quantize}
          options={[
            { value: 'off', label: 'At once' },
            { value: 'beat', label: 'On the beat' },
            { value: 'bar', label: 'On the bar' },
          ]}
          onChange={(quantize) => edit({ quantize })}
        />
        <SelectField
          label="Length in beats"
          value={beats}
          options={[
            { value: 'none', label: 'No tempo' },
            ...counts.map((count) => ({ value: count, label: count })),
          ]}
          onChange={(count) => edit({ beats: count === 'none' ? null : Number(count) })}
        />
        <SelectField
          label="Tempo"
          disabled={settings.beats === null}
          value={settings.tempo}
          options={[
            { value: 'recorded', label: 'As recorded' },
            { value: 'varispeed', label: 'Leader, with pitch' },
            { value: 'key-lock', label: 'Leader, key lock' },
          ]}
          onChange={(tempo) => edit({ tempo })}
        />
        <SelectField
          label="Mute group"
          value={String(settings.choke_group)}
          options={Array.from({ length: samplerBounds.chokeGroups + 1 }, (_, group) => ({
            value: String(group),
            label: group === 0 ? 'None' : String(group),
          }))}
          onChange={(group) => edit({ choke_group: Number(group) })}
        />
        <ControlKnob
          control={`sampler.${padNumbers[index] ?? '1'}.gain`}
          label="GAIN"
          name={`Gain of pad ${index + 1}`}
          text={(db) => `${signed(db, 1)} dB`}
        />
      </div>
      <div className={styles['actions']}>
        <Button small icon="upload" onClick={() => file.current?.click()}>
          Load file…
        </Button>
        <input
          ref={file}
          type="file"
          accept="audio/*"
          hidden
          aria-label={`Audio file for pad ${index + 1}`}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0];
            currentTarget.value = '';
            if (chosen) void fillFromFile(sampler, index, chosen);
          }}
        />
        <CaptureSelect index={index} disabled={!isHere} />
        <Button small icon="undo" disabled={isDefault} onClick={() => sampler.reset(index)}>
          Default
        </Button>
      </div>
    </>
  );
}

/** Name of a pad, set when the field is left or Enter is pressed; an empty one is not taken. */
function NameField({ index, name }: { index: number; name: string }) {
  const { sampler } = useDjEngine();
  const [text, setText] = useState(name);
  const save = () => {
    if (text.trim() === '') setText(name);
    else if (text.trim() !== name) sampler.edit(index, { name: text.trim() });
  };
  return (
    <Field
      label="Name"
      value={text}
      maxLength={samplerBounds.name}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}

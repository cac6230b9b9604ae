import type { SamplerPad } from '@stem-studio/contract/resources/sampler-pad';
import { BANK_LOOP_BEATS, type BankSampleName, renderBankSample } from '@stem-studio/dsp/synth/sampler-bank';
import type { RecordedSample } from '@stem-studio/renderer/sampler/prepare-sample';

const once = {
  mode: 'one-shot',
  quantize: 'off',
  tempo: 'recorded',
  gain_db: 0,
  choke_group: 0,
  beats: null,
} as const;

/** A pad of the default bank. */
export interface DefaultPad {
  settings: SamplerPad;
  sample: BankSampleName;
}

/** The default bank, synthesised by the instruments of the demo songs. */
export const defaultPads: readonly DefaultPad[] = [
  { sample: 'kick', settings: { ...once, name: 'Kick', color: '#ff5d5d' } },
  { sample: 'snare', settings: { ...once, name: 'Snare', color: '#ff8f40' } },
  { sample: 'clap', settings: { ...once, name: 'Clap', color: '#ffc24b' } },
  { sample: 'hat', settings: { ...once, name: 'Hi-hat', color: '#9adf6a' } },
  { sample: 'crash', settings: { ...once, name: 'Crash', color: '#3fd0a8' } },
  { sample: 'stab', settings: { ...once, name: 'Stab', color: '#5fd4ff', quantize: 'beat' } },
  {
    sample: 'riser',
    settings: {
      ...once,
      name: 'Riser',
      color: '#9d8cff',
      quantize: 'bar',
      tempo: 'varispeed',
      beats: BANK_LOOP_BEATS,
    },
  },
  {
    sample: 'groove',
    settings: {
      ...once,
      name: 'Groove',
      color: '#f4628f',
      mode: 'loop',
      quantize: 'bar',
      tempo: 'key-lock',
      beats: BANK_LOOP_BEATS,
    },
  },
];

const rendered = new Map<BankSampleName, RecordedSample>();

/** Returns the sample of a pad of the default bank, which is rendered once. */
export function defaultSample({ sample, settings }: DefaultPad): RecordedSample {
  const known = rendered.get(sample);
  if (known) return known;
  const { left, right, sampleRateHz } = renderBankSample(sample);
  const first = Float32Array.from(left);
  const recorded = {
    sampleRateHz,
    left: first,
    right: left === right ? first : Float32Array.from(right),
    beats: settings.beats,
  };
  rendered.set(sample, recorded);
  return recorded;
}

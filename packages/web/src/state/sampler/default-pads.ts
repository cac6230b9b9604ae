import { cueColors } from '@stem-studio/contract/resources/cue';
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
  { sample: 'kick', settings: { ...once, name: 'Kick', color: cueColors.drop } },
  { sample: 'snare', settings: { ...once, name: 'Snare', color: cueColors.mix_out } },
  { sample: 'clap', settings: { ...once, name: 'Clap', color: cueColors.build } },
  { sample: 'hat', settings: { ...once, name: 'Hi-hat', color: cueColors.transition } },
  { sample: 'crash', settings: { ...once, name: 'Crash', color: cueColors.loop } },
  { sample: 'stab', settings: { ...once, name: 'Stab', color: cueColors.custom, quantize: 'beat' } },
  {
    sample: 'riser',
    settings: {
      ...once,
      name: 'Riser',
      color: cueColors.breakdown,
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
      color: cueColors.chorus,
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

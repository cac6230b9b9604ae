import type { SamplerPad } from '@stem-studio/contract/resources/sampler-pad';

const modes: Readonly<Record<SamplerPad['mode'], string>> = {
  'one-shot': 'Once',
  hold: 'Hold',
  loop: 'Loop',
};
const starts: Readonly<Record<SamplerPad['quantize'], string>> = { off: '', beat: 'beat', bar: 'bar' };
const tempi: Readonly<Record<SamplerPad['tempo'], string>> = {
  recorded: '',
  varispeed: 'varispeed',
  'key-lock': 'key lock',
};

/** Returns how a pad plays in short: `Loop · bar · key lock`. */
export function padText({ mode, quantize, tempo, beats }: SamplerPad): string {
  // A sample without beats keeps its tempo.
  const follows = beats === null ? '' : tempi[tempo];
  return [modes[mode], starts[quantize], follows].filter((part) => part !== '').join(' · ');
}

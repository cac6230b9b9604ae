import type { EffectType } from '@stem-studio/contract/decks/effects';
import { BitcrusherKernel } from './bitcrusher-kernel.ts';
import { EchoKernel } from './echo-kernel.ts';
import type { EffectKernel } from './effect-kernel.ts';
import { FilterKernel } from './filter-kernel.ts';
import { FlangerKernel } from './flanger-kernel.ts';
import { GateKernel } from './gate-kernel.ts';
import { PhaserKernel } from './phaser-kernel.ts';
import { ReverbKernel } from './reverb-kernel.ts';
import { RollKernel } from './roll-kernel.ts';

const kernels: Readonly<Record<EffectType, (sampleRateHz: number) => EffectKernel>> = {
  echo: (rate) => new EchoKernel(rate, false),
  delay: (rate) => new EchoKernel(rate, true),
  reverb: (rate) => new ReverbKernel(rate),
  flanger: (rate) => new FlangerKernel(rate),
  phaser: (rate) => new PhaserKernel(rate),
  filter: (rate) => new FilterKernel(rate),
  gate: (rate) => new GateKernel(rate),
  bitcrusher: (rate) => new BitcrusherKernel(rate),
  roll: (rate) => new RollKernel(rate),
};

/** Returns the signal processing of a type of effect. */
export function createEffectKernel(type: EffectType, sampleRateHz: number): EffectKernel {
  return kernels[type](sampleRateHz);
}

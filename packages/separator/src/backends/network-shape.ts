import {
  type NetworkContract,
  type NetworkStemCount,
  networkStemCount,
} from '@stem-studio/contract/separation-weights';
import {
  networkBinCount,
  networkFrameCount,
  networkSegmentSamples,
} from '@stem-studio/dsp/separate/network-spectrogram';
import { SeparationError } from '../separation-error.ts';

/** An input or output of a network as the runtime tells it; a dimension that is a word is not fixed. */
export interface NetworkValue {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

/** Which of a network's inputs and outputs is what. */
export interface NetworkShape {
  readonly contract: NetworkContract;
  readonly stems: NetworkStemCount;
  readonly inputs: { readonly sound: string; readonly spectrogram: string | null };
  readonly outputs: { readonly sound: string; readonly spectrogram: string | null };
}

const sound = [2, networkSegmentSamples];
const spectrogram = [4, networkBinCount, networkFrameCount];

/** Whether the last dimensions are these, behind `leading` others of which the first is one piece of sound. */
function fits(value: NetworkValue, leading: number, last: readonly number[]): boolean {
  const shape = value.shape ?? [];
  if (shape.length !== leading + last.length) return false;
  const isOne = typeof shape[0] === 'string' || shape[0] === 1;
  return isOne && last.every((size, i) => [size, 'string'].includes(sizeOrWord(shape[leading + i])));
}

function sizeOrWord(dimension: number | string | undefined): number | string {
  return typeof dimension === 'string' ? 'string' : (dimension ?? 0);
}

function words(values: readonly NetworkValue[]): string {
  return values
    .map(({ type, shape }) => `${type ?? 'no tensor'} [${(shape ?? []).join(', ')}]`)
    .join(' and ');
}

/**
 * Tells a network's contract by the shapes of what it takes and gives, whatever the names are.
 *
 * @throws SeparationError `model_not_available` that says both shapes that are known and the ones that were found
 */
export function recogniseNetwork(
  inputs: readonly NetworkValue[],
  outputs: readonly NetworkValue[],
): NetworkShape {
  const refuse = (): SeparationError =>
    new SeparationError(
      'model_not_available',
      `a network must take float32 [1, 2, ${networkSegmentSamples}], with or without [1, ${spectrogram.join(', ')}] ` +
        `beside it, and give [1, S, 2, ${networkSegmentSamples}] or that and [1, S, ${spectrogram.join(', ')}], S being ` +
        `4 or 6 (this one takes ${words(inputs)} and gives ${words(outputs)})`,
    );
  const find = (values: readonly NetworkValue[], leading: number, last: readonly number[]) =>
    values.find((value) => value.isTensor && value.type === 'float32' && fits(value, leading, last));
  const soundIn = find(inputs, 1, sound);
  const spectrogramIn = find(inputs, 1, spectrogram);
  const soundOut = find(outputs, 2, sound);
  const spectrogramOut = spectrogramIn && find(outputs, 2, spectrogram);
  const known = spectrogramIn ? 2 : 1;
  if (!soundIn || !soundOut || inputs.length !== known || (spectrogramIn && !spectrogramOut)) throw refuse();
  const sizes = [soundOut, spectrogramOut].map((value) => value?.shape?.[1]);
  const stems = networkStemCount.safeParse(sizes.find((size) => typeof size === 'number'));
  if (!stems.success) throw refuse();
  return {
    contract: spectrogramIn ? 'stft_outside' : 'stft_inside',
    stems: stems.data,
    inputs: { sound: soundIn.name, spectrogram: spectrogramIn?.name ?? null },
    outputs: { sound: soundOut.name, spectrogram: spectrogramOut?.name ?? null },
  };
}

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

/** An input or output of a network as reported by the runtime. A dimension given as text is variable. */
export interface NetworkValue {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

/** The names of a network's inputs and outputs by purpose. */
export interface NetworkShape {
  readonly contract: NetworkContract;
  readonly stems: NetworkStemCount;
  readonly inputs: { readonly waveform: string; readonly spectrogram: string | null };
  readonly outputs: { readonly waveform: string; readonly spectrogram: string | null };
}

const waveform = [2, networkSegmentSamples];
const spectrogram = [4, networkBinCount, networkFrameCount];

/** Returns whether the shape has `leading` dimensions, the first a batch of 1, followed by `last`. */
function fits(value: NetworkValue, leading: number, last: readonly number[]): boolean {
  const shape = value.shape ?? [];
  if (shape.length !== leading + last.length) return false;
  const isOne = typeof shape[0] === 'string' || shape[0] === 1;
  return isOne && last.every((size, i) => [size, 'string'].includes(sizeOrUnknown(shape[leading + i])));
}

function sizeOrUnknown(dimension: number | string | undefined): number | string {
  return typeof dimension === 'string' ? 'string' : (dimension ?? 0);
}

function describe(values: readonly NetworkValue[]): string {
  return values
    .map(({ type, shape }) => `${type ?? 'no tensor'} [${(shape ?? []).join(', ')}]`)
    .join(' and ');
}

/**
 * Identifies a network's contract by the shapes of its inputs and outputs, regardless of their names.
 *
 * @throws SeparationError `model_not_available` naming the supported shapes and those found
 */
export function identifyNetwork(
  inputs: readonly NetworkValue[],
  outputs: readonly NetworkValue[],
): NetworkShape {
  const refuse = (): SeparationError =>
    new SeparationError(
      'model_not_available',
      `a network must take float32 [1, 2, ${networkSegmentSamples}], with or without [1, ${spectrogram.join(', ')}] ` +
        `beside it, and give [1, S, 2, ${networkSegmentSamples}] or that and [1, S, ${spectrogram.join(', ')}], S being ` +
        `4 or 6 (this one takes ${describe(inputs)} and gives ${describe(outputs)})`,
    );
  const find = (values: readonly NetworkValue[], leading: number, last: readonly number[]) =>
    values.find((value) => value.isTensor && value.type === 'float32' && fits(value, leading, last));
  const waveformIn = find(inputs, 1, waveform);
  const spectrogramIn = find(inputs, 1, spectrogram);
  const waveformOut = find(outputs, 2, waveform);
  const spectrogramOut = spectrogramIn && find(outputs, 2, spectrogram);
  const known = spectrogramIn ? 2 : 1;
  if (!waveformIn || !waveformOut || inputs.length !== known || (spectrogramIn && !spectrogramOut))
    throw refuse();
  const sizes = [waveformOut, spectrogramOut].map((value) => value?.shape?.[1]);
  const stems = networkStemCount.safeParse(sizes.find((size) => typeof size === 'number'));
  if (!stems.success) throw refuse();
  return {
    contract: spectrogramIn ? 'stft_outside' : 'stft_inside',
    stems: stems.data,
    inputs: { waveform: waveformIn.name, spectrogram: spectrogramIn?.name ?? null },
    outputs: { waveform: waveformOut.name, spectrogram: spectrogramOut?.name ?? null },
  };
}

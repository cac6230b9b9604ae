import { createGraphBuilder, type GraphBuilder } from './graph-builder.ts';
import { networkFrames, type OnnxGraph, type StoredTensor } from './onnx-file.ts';
import { addUnet, type UnetTensor, type UnetVariant, unetTensors } from './spleeter-unet.ts';

/** A published Spleeter network. */
export interface SpleeterNetwork extends UnetVariant {
  /** Stems in the order of the checkpoint, one U-Net each. */
  readonly stems: readonly string[];
  /** `sigmoid`: each U-Net limits its own output; `softmax`: their outputs sum to the mixture. */
  readonly outputs: 'sigmoid' | 'softmax';
}

const frameSamples = 4096;
const stepSamples = 1024;
/** Samples before the segment, so that its first ones are in four frames. */
const leadSamples = frameSamples - stepSamples;
/** Multiple of 64, the factor of the six strided convolutions, that covers the segment. */
const frameCount = 384;
const paddedSamples = (frameCount - 1) * stepSamples + frameSamples;
/** Bins below 11 kHz, which the networks were trained on, of 2049. */
const networkBins = 1024;
const bins = frameSamples / 2 + 1;
/** Bins above them get the mean mask from here (5.5 kHz) on. */
const extensionFrom = 512;
/** Keeps the masks of silence finite. */
const tiny = 1e-10;

/**
 * Standard deviation to which the input of the U-Nets is scaled. Segments arrive with deviation 1; the networks were
 * trained on the level of released music, and their normalisation is not independent of it.
 */
const trainedDeviation = 0.2;

/** Returns the tensors that the network needs from its checkpoint, in the order in which they are stored. */
export function spleeterTensors({ stems }: SpleeterNetwork): UnetTensor[] {
  return stems.flatMap((_, index) => unetTensors(index));
}

/**
 * Returns a Spleeter network as a graph with the transform inside, `[1, 2, 343980]` → `[1, S, 2, 343980]`.
 *
 * ```
 * waveform → spectrogram (4096, step 1024, Hann) → magnitudes → U-Net of each stem → squared ratio mask
 *          → spectrogram × mask → inverse → overlap-add
 * ```
 *
 * Bins above 11 kHz, which the networks do not know, get the mean mask of 5.5 to 11 kHz.
 *
 * @param order output stems; one that the network lacks, and `other`, which is not used, are silent
 * @param weightsFile name of the file beside the graph with the values of {@link spleeterTensors}, one after the other
 * @see Hennequin et al., "Spleeter: a fast and efficient music source separation tool", 2020
 */
export function buildSpleeterGraph(
  network: SpleeterNetwork,
  order: readonly string[],
  weightsFile: string,
): OnnxGraph {
  const graph = createGraphBuilder();
  const stored = storedTensors(network, weightsFile);
  const padded = graph.node('Pad', [
    'waveform',
    graph.integers([0, 0, leadSamples, 0, 0, paddedSamples - leadSamples - networkFrames]),
  ]);
  const signal = graph.node('Reshape', [padded, graph.integers([2, paddedSamples, 1])]);
  const window = graph.floats([frameSamples], hann(1));
  const spectrogram = graph.node(
    'STFT',
    [signal, graph.integers(stepSamples), window, graph.integers(frameSamples)],
    { onesided: 1 },
  );
  const spectrum: ComplexSpectrum = {
    real: planeOf(graph, spectrogram, 3, 0),
    imaginary: planeOf(graph, spectrogram, 3, 1),
  };
  const magnitudes = graph.node('Unsqueeze', [lowMagnitudes(graph, spectrum), graph.integers([0])]);
  const input = graph.node('Mul', [magnitudes, graph.floats([1], [trainedDeviation])]);
  const logits = network.stems.map((_, index) => addUnet(graph, index, input, network, stored));
  const masks = squaredRatioMasks(graph, limit(graph, logits, network.outputs), input);

  const inverseWindow = graph.floats([frameSamples], hann(2 / 3));
  const silence = graph.floats([1, 1, 1], [0]);
  const parts = order.map((stem) => {
    const mask = stem === 'other' ? undefined : masks[network.stems.indexOf(stem)];
    if (mask === undefined) return graph.node('Expand', [silence, graph.integers([1, 2, networkFrames])]);
    return synthesise(graph, spectrum, extendMask(graph, mask), inverseWindow);
  });
  const stems = graph.node('Concat', parts, { axis: 0 });
  const output = graph.node('Unsqueeze', [stems, graph.integers([0])]);
  return graph.build({ name: 'waveform', dims: [1, 2, networkFrames] }, output, [
    1,
    order.length,
    2,
    networkFrames,
  ]);
}

/** Returns a function that gives each tensor its name and position in the file of weights. */
function storedTensors(network: SpleeterNetwork, file: string): (tensor: UnetTensor) => StoredTensor {
  const positions = new Map<string, { readonly offset: number; readonly bytes: number }>();
  let offset = 0;
  for (const { source, dims } of spleeterTensors(network)) {
    const bytes = dims.reduce((product, size) => product * size, 4);
    positions.set(source, { offset, bytes });
    offset += bytes;
  }
  return ({ source, dims }) => {
    const position = positions.get(source);
    if (!position) throw new Error(`${source} is not a tensor of this network`);
    return { name: source, dims, stored: { file, ...position } };
  };
}

/** Returns a periodic Hann window times `gain`. */
function hann(gain: number): Float32Array {
  return Float32Array.from(
    { length: frameSamples },
    (_, i) => gain * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSamples)),
  );
}

/** Slices one axis from `start` up to `end`, which is not included; a negative step goes backwards. */
function sliceAxis(
  graph: GraphBuilder,
  value: string,
  axis: number,
  start: number,
  end: number,
  step = 1,
): string {
  return graph.node('Slice', [
    value,
    graph.integers([start]),
    graph.integers([end]),
    graph.integers([axis]),
    graph.integers([step]),
  ]);
}

/** Limits the outputs of the U-Nets to 0 to 1, each on its own or all to a sum of 1. */
function limit(
  graph: GraphBuilder,
  logits: readonly string[],
  outputs: SpleeterNetwork['outputs'],
): readonly string[] {
  if (outputs === 'sigmoid') return logits.map((logit) => graph.node('Sigmoid', [logit]));
  const all = graph.node('Softmax', [graph.node('Concat', logits, { axis: 0 })], { axis: 0 });
  return logits.map((_, index) => sliceAxis(graph, all, 0, index, index + 1));
}

/** Returns the masks v²/Σv² of magnitudes v = limited output × input; equal parts in silence. */
function squaredRatioMasks(
  graph: GraphBuilder,
  limited: readonly string[],
  input: string,
): readonly string[] {
  const squares = limited.map((one) => {
    const magnitudes = graph.node('Mul', [one, input]);
    return graph.node('Mul', [magnitudes, magnitudes]);
  });
  const sum = graph.node('Add', [graph.node('Sum', squares), graph.floats([1], [tiny])]);
  const part = graph.floats([1], [tiny / limited.length]);
  return squares.map((square) => graph.node('Div', [graph.node('Add', [square, part]), sum]));
}

/** Extends a mask `[1, 2, frames, 1024]` to all bins: `[2, frames, 2049]`. */
function extendMask(graph: GraphBuilder, mask: string): string {
  const mean = graph.node('ReduceMean', [sliceAxis(graph, mask, 3, extensionFrom, networkBins)], {
    axes: [3],
    keepdims: 1,
  });
  const high = graph.node('Expand', [mean, graph.integers([1, 2, frameCount, bins - networkBins])]);
  return graph.node('Squeeze', [graph.node('Concat', [mask, high], { axis: 3 }), graph.integers([0])]);
}

/** Real and imaginary parts of a spectrogram, `[2, frames, bins]` each. */
interface ComplexSpectrum {
  readonly real: string;
  readonly imaginary: string;
}

/** Returns one index of an axis, without the axis. */
function planeOf(graph: GraphBuilder, value: string, axis: number, index: number): string {
  return graph.node('Squeeze', [sliceAxis(graph, value, axis, index, index + 1), graph.integers([axis])]);
}

/** Returns the magnitudes of the bins that the networks know, `[2, frames, 1024]`. */
function lowMagnitudes(graph: GraphBuilder, { real, imaginary }: ComplexSpectrum): string {
  const squares = [real, imaginary].map((plane) => {
    const low = sliceAxis(graph, plane, 2, 0, networkBins);
    return graph.node('Mul', [low, low]);
  });
  return graph.node('Sqrt', [graph.node('Add', squares)]);
}

/**
 * Returns the waveform `[1, 2, 343980]` of the masked spectrogram.
 *
 * The spectra of both audio channels are joined to that of one complex signal, left + i·right, so that one inverse
 * transform gives both.
 */
function synthesise(graph: GraphBuilder, spectrum: ComplexSpectrum, mask: string, window: string): string {
  const sides = [spectrum.real, spectrum.imaginary].map((plane) => {
    const masked = graph.node('Mul', [plane, mask]);
    return [0, 1].map((side) => sliceAxis(graph, masked, 0, side, side + 1)) as [string, string];
  }) as [[string, string], [string, string]];
  const [[leftReal, rightReal], [leftImaginary, rightImaginary]] = sides;
  // The bins above the middle are those below it, mirrored and conjugated in each audio channel.
  const mirrored = (value: string): string => sliceAxis(graph, value, 2, bins - 2, 0, -1);
  const parts = [
    [graph.node('Sub', [leftReal, rightImaginary]), mirrored(graph.node('Add', [leftReal, rightImaginary]))],
    [graph.node('Add', [leftImaginary, rightReal]), mirrored(graph.node('Sub', [rightReal, leftImaginary]))],
  ].map((halves) =>
    graph.node('Reshape', [
      graph.node('Concat', halves, { axis: 2 }),
      graph.integers([frameCount, frameSamples, 1]),
    ]),
  );
  const inverse = graph.node('DFT', [graph.node('Concat', parts, { axis: 2 })], { axis: 1, inverse: 1 });
  const channels = [0, 1].map((side) =>
    graph.node('Reshape', [
      sliceAxis(graph, inverse, 2, side, side + 1),
      graph.integers([1, frameCount, frameSamples]),
    ]),
  );
  return overlapAdd(graph, graph.node('Mul', [graph.node('Concat', channels, { axis: 0 }), window]));
}

/** Adds overlapping frames `[2, frames, 4096]` and returns the segment without padding, `[1, 2, 343980]`. */
function overlapAdd(graph: GraphBuilder, windowed: string): string {
  const overlaps = frameSamples / stepSamples;
  const quarters = Array.from({ length: overlaps }, (_, i) =>
    graph.node('Pad', [
      sliceAxis(graph, windowed, 2, i * stepSamples, (i + 1) * stepSamples),
      graph.integers([0, i, 0, 0, overlaps - 1 - i, 0]),
    ]),
  );
  const joined = graph.node('Reshape', [graph.node('Sum', quarters), graph.integers([1, 2, paddedSamples])]);
  return sliceAxis(graph, joined, 2, leadSamples, leadSamples + networkFrames);
}

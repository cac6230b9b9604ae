import { createProgramLoader } from '../native/program-loader.ts';
import { voiceWasm } from '../native/voice-wasm.ts';
import { readVoiceWeights } from './voice-weights.ts';

/** Frames of the longest window: 11.9 s at 44.1 kHz. */
export const voiceWindowFrames = 512;
/** Lengths of windows in frames are multiples of this: 3 s at 44.1 kHz. */
export const voiceWindowStep = 128;
/** Bins of a frame, the lowest 1,024 of 2,049: below 11,025 Hz. */
export const voiceBins = 1024;

/** Values of both audio channels of a window: {@link voiceWindowFrames} × {@link voiceBins}, frame by frame. */
export interface StereoMagnitudes {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Output of the network for a window, in the memory of the network: the next window overwrites it. */
export interface VoiceWindow {
  /** Estimated magnitudes of the voice. */
  readonly voice: StereoMagnitudes;
  /** Estimated magnitudes of everything else. */
  readonly accompaniment: StereoMagnitudes;
  /** The part of the voice in the estimated energy, 0 to 1. */
  readonly mask: StereoMagnitudes;
}

/** The network with its own memory, for one thread. */
export interface VoiceNetwork {
  /**
   * Input buffer: finite magnitudes of the mixture, samples nominally −1 to 1.
   *
   * The transform has frames of 4,096 samples with a periodic Hann window, a hop of 1,024 samples and no scale.
   */
  readonly input: StereoMagnitudes;
  /**
   * Processes the first `frames` frames of the input buffer; those of the output are valid. Allocates nothing. A shorter window
   * takes less time in proportion.
   *
   * @param frames a multiple of {@link voiceWindowStep}, at most {@link voiceWindowFrames}
   */
  estimate(frames?: number): VoiceWindow;
}

interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  weights_at(): number;
  weights_size(): number;
  mixture_at(): number;
  voice_at(): number;
  accompaniment_at(): number;
  mask_at(): number;
  estimate(frames: number): void;
}

const start = createProgramLoader<Calls>(voiceWasm);

/**
 * Creates the two-stem network of Spleeter: a U-Net that estimates the magnitudes of the voice and one that estimates
 * those of the accompaniment. It is computed by `packages/dsp/native/voice.c`.
 *
 * The estimates depend on the level: do not normalise the audio.
 *
 * @param weights contents of `voice.weights`, written by `training/convert_spleeter.py`
 * @throws RangeError if the weights are truncated, altered or of another network
 * @see Hennequin, Khlif, Voituret, Moussallam, "Spleeter: a fast and efficient music source separation tool with
 *   pre-trained models", Journal of Open Source Software 5 (50), 2020
 */
export async function createVoiceNetwork(weights: Uint8Array): Promise<VoiceNetwork> {
  const data = readVoiceWeights(weights);
  const calls = await start();
  const { buffer } = calls.memory;
  if (data.length > calls.weights_size())
    throw new RangeError(`the weights must have at most ${calls.weights_size()} bytes (got ${data.length})`);
  new Uint8Array(buffer, calls.weights_at(), data.length).set(data);
  const size = voiceWindowFrames * voiceBins;
  const magnitudesAt = (at: number): StereoMagnitudes => ({
    left: new Float32Array(buffer, at, size),
    right: new Float32Array(buffer, at + 4 * size, size),
  });
  const output: VoiceWindow = {
    voice: magnitudesAt(calls.voice_at()),
    accompaniment: magnitudesAt(calls.accompaniment_at()),
    mask: magnitudesAt(calls.mask_at()),
  };
  return {
    input: magnitudesAt(calls.mixture_at()),
    estimate(frames = voiceWindowFrames) {
      if (frames <= 0 || frames > voiceWindowFrames || frames % voiceWindowStep !== 0)
        throw new RangeError(
          `a window must have a multiple of ${voiceWindowStep} frames up to ${voiceWindowFrames} (got ${frames})`,
        );
      calls.estimate(frames);
      return output;
    },
  };
}

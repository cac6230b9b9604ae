import { MPEGDecoder } from 'mpg123-decoder';
import { AudioFormatError } from './audio-format-error.ts';
import { withoutConsoleErrors } from './console-errors.ts';
import type { Mp3FrameHeader } from './mp3-frame-header.ts';

/** Samples of some frames, one array per audio channel, and the number of frames replaced by silence. */
export interface DecodedMp3Frames {
  block: Float32Array[];
  damagedFrames: number;
}

/** Decoder for the frames of one MP3 stream, which keeps the bit reservoir and the overlap between frames. */
export interface Mp3FrameDecoder {
  /**
   * Decodes whole frames that follow each other. Every frame yields exactly `frameSamples` samples: a frame that the
   * library cannot decode yields silence.
   * @throws AudioFormatError `malformed` if the library crashes repeatedly
   */
  decode(frames: readonly Uint8Array[]): Promise<DecodedMp3Frames>;
}

/**
 * Frames after which the polyphase filterbank of the library has the same rotation again. The order of its additions
 * depends on the rotation, so only frames decoded at the same rotation are bit-identical.
 */
export const ROTATION_FRAMES = 8;

/** Crashes of the library on one stream after which decoding ends. */
const MAX_CRASHES = 8;
/** Number of errors in one frame above which the library does not stop before it needs the next frame. */
const MAX_ERRORS = 100;

/**
 * Creates a decoder for frames of the version, sample rate and channels of `header`.
 *
 * The library is compiled once per thread; an instance has 16 MiB of memory that never grow, and is not shared.
 */
export async function createMp3FrameDecoder(header: Mp3FrameHeader): Promise<Mp3FrameDecoder> {
  const { frameSamples, channels } = header;
  let library = await startLibrary();
  let crashes = 0;
  // Frames are passed one by one: otherwise it is unknown which of them yields no samples.
  const decodeFrame = async (frame: Uint8Array, block: Float32Array[], offset: number): Promise<boolean> => {
    try {
      const { channelData, samplesDecoded } = withoutConsoleErrors(
        { prefix: 'mpg123-decoder: ', most: MAX_ERRORS },
        () => library.decode(frame),
      );
      if (samplesDecoded < frameSamples) return false;
      // The library always returns two audio channels; those of a mono file are equal.
      for (const [channel, samples] of block.entries())
        samples.set(channelData[channel]?.subarray(-frameSamples) ?? [], offset);
      return true;
    } catch {
      // Its memory may be corrupt: the instance is dropped whole, without a call that would free parts of it.
      if (++crashes > MAX_CRASHES) throw crashed();
      library = await startLibrary();
      return false;
    }
  };
  return {
    async decode(frames) {
      const block = Array.from({ length: channels }, () => new Float32Array(frames.length * frameSamples));
      let damagedFrames = 0;
      for (const [index, frame] of frames.entries())
        if (!(await decodeFrame(frame, block, index * frameSamples))) damagedFrames++;
      return { block, damagedFrames };
    },
  };
}

/** Starts an instance of the library. Delay and padding are left to the caller, which detects a truncated file. */
async function startLibrary(): Promise<MPEGDecoder> {
  const library = new MPEGDecoder({ enableGapless: false });
  await library.ready;
  return library;
}

function crashed(): AudioFormatError {
  return new AudioFormatError('malformed', 'an MP3 must decode (its frames crash the decoder)');
}

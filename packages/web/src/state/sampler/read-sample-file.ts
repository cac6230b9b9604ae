import { samplerBounds } from '@stem-studio/contract/resources/sampler-pad';
import type { RecordedSample } from '@stem-studio/renderer/sampler/prepare-sample';
import { bytesText, clockText } from '../../base/format.ts';

/** Decoded audio, as browsers return it. */
export interface DecodedAudio {
  sampleRate: number;
  numberOfChannels: number;
  length: number;
  getChannelData(channel: number): Float32Array<ArrayBuffer>;
}

/**
 * Returns the samples of an audio file for a pad, in at most two audio channels.
 *
 * @param decode decodes a whole file
 * @throws Error with a message for the user where the file is too large, too long, empty or no audio
 */
export async function readSampleFile(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
  decode: (bytes: ArrayBuffer) => Promise<DecodedAudio>,
): Promise<RecordedSample> {
  const { fileBytes, seconds: longest } = samplerBounds;
  if (file.size > fileBytes)
    throw new Error(
      `a sample file has at most ${bytesText(fileBytes)} (“${file.name}” has ${bytesText(file.size)})`,
    );
  let audio: DecodedAudio;
  try {
    audio = await decode(await file.arrayBuffer());
  } catch (cause) {
    throw new Error(`“${file.name}” is no audio file that this browser can read`, { cause });
  }
  const seconds = audio.length / audio.sampleRate;
  if (audio.length === 0) throw new Error(`“${file.name}” is empty`);
  if (seconds > longest)
    throw new Error(
      `a sample lasts at most ${longest} s (“${file.name}” lasts ${clockText(seconds)}); load it on a deck and capture a loop of it`,
    );
  const left = audio.getChannelData(0).slice();
  const right = audio.numberOfChannels > 1 ? audio.getChannelData(1).slice() : left;
  return { sampleRateHz: audio.sampleRate, left, right, beats: null };
}

/** Returns a name for a pad from that of a file, without its extension. */
export function sampleName(fileName: string): string {
  const name = fileName.replace(/\.[^.]*$/, '').trim() || fileName.trim();
  return name.slice(0, samplerBounds.name) || 'Sample';
}

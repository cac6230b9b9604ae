import { studioContext } from './studio-context.ts';

/**
 * Decodes a whole audio file in the browser, at the sample rate of the output.
 *
 * @throws DOMException where the browser cannot read it
 */
export function decodeAudioFile(bytes: ArrayBuffer): Promise<AudioBuffer> {
  return studioContext().decodeAudioData(bytes);
}

import type { StemMixerCommand, StemMixerReport } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { MixerEngine } from '../player/stem-player.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/stem-mixer.worklet.ts?worker&url';
import { createKernelNode } from './kernel-node.ts';

/**
 * Creates a stem mixer in the audio thread of the page's only context: `mixer → output`.
 *
 * @throws Error where the browser has no audio worklets, as on plain http
 */
export function createStemMixerNode(): Promise<MixerEngine> {
  return createKernelNode<StemMixerCommand, StemMixerReport>({
    name: 'stem-mixer',
    address,
    refusal: 'stems play only over https or on localhost; open the studio there, or play the whole song',
    failure: 'the stem player could not be loaded: the studio is not reachable',
  });
}

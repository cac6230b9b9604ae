import type { EditMixerCommand, EditMixerReport } from '@stem-studio/renderer/editor/edit-mixer-messages';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/edit-mixer.worklet.ts?worker&url';
import { createKernelNode, type KernelPort } from './kernel-node.ts';

/** Port to the mixer of the editor. */
export type EditEngine = KernelPort<EditMixerCommand, EditMixerReport>;

/**
 * Creates the mixer of the editor in the audio thread of the page's only context: `mixer → output`.
 *
 * @throws Error where the browser has no audio worklets, as on plain http
 */
export function createEditMixerNode(): Promise<EditEngine> {
  return createKernelNode<EditMixerCommand, EditMixerReport>({
    name: 'edit-mixer',
    address,
    refusal: 'the editor plays only over https or on localhost; open the studio there',
    failure: 'the editor’s player could not be loaded: the studio is not reachable',
  });
}

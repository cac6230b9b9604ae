import type { StemMixerReport } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';
import type { MixerEngine } from '../player/stem-player.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/stem-mixer.worklet.ts?worker&url';

let module: Promise<void> | null = null;

/**
 * Creates a stem mixer in the audio thread of the page's only context: `mixer → output`.
 *
 * @throws Error where the browser has no audio worklets, as on plain http
 */
export async function createStemMixerNode(): Promise<MixerEngine> {
  const context = studioContext();
  if (!('audioWorklet' in context)) {
    throw new Error(
      'stems play only over https or on localhost; open the studio there, or play the whole song',
    );
  }
  module ??= context.audioWorklet.addModule(address);
  await module.catch((error: unknown) => {
    module = null;
    throw new Error('the stem player could not be loaded: the studio is not reachable', { cause: error });
  });
  const scope = new Scope();
  const node = new AudioWorkletNode(context, 'stem-mixer', { numberOfInputs: 0, outputChannelCount: [2] });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  scope.own(() => node.port.postMessage({ type: 'close' }));
  scope.node(node).connect(context.destination);
  return {
    post: (command, transfer = []) => node.port.postMessage(command, transfer),
    onReport(listener) {
      scope.listen(node.port, 'message', (event) => listener((event as MessageEvent<StemMixerReport>).data));
      node.port.start();
    },
    nowSeconds: () => audibleSeconds(context),
    wake: () => wakeContext(context),
    dispose: () => scope.dispose(),
  };
}

import type { DjEngineEvent } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/dj-engine.worklet.ts?worker&url';
import type { DjEnginePort } from './dj-engine-port.ts';
import { createHeadphoneOutput } from './headphone-output.ts';
import { createMicrophoneInput } from './microphone-input.ts';

let module: Promise<void> | null = null;

/**
 * Opens the DJ engine in the audio thread of the page's only context: `microphone → engine → master output, headphone
 * output`.
 *
 * @throws Error with a message for the user where the browser has no audio worklets, as on plain http
 */
export async function createDjEnginePort(): Promise<DjEnginePort> {
  const context = studioContext();
  if (!('audioWorklet' in context)) {
    throw new Error('the decks play only over https or on localhost; open the studio there');
  }
  module ??= context.audioWorklet.addModule(address);
  await module.catch((error: unknown) => {
    module = null;
    throw new Error('the decks could not be loaded: the studio is not reachable', { cause: error });
  });
  const scope = new Scope();
  const node = new AudioWorkletNode(context, 'dj-engine', {
    numberOfInputs: 1,
    // The microphone is mixed to mono.
    channelCount: 1,
    channelCountMode: 'explicit',
    numberOfOutputs: 2,
    outputChannelCount: [2, 2],
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  scope.own(() => node.port.postMessage({ type: 'close' }));
  scope.node(node);
  const master = scope.node(context.createGain());
  node.connect(master, 0);
  const headphones = createHeadphoneOutput(context, scope, master, (to) => node.connect(to, 1));
  const microphone = createMicrophoneInput(context, scope, (source) => source.connect(node));
  return {
    sampleRateHz: context.sampleRate,
    headphones,
    microphone,
    post: (command, transfer = []) => node.port.postMessage(command, transfer),
    onEvent(listener) {
      scope.listen(node.port, 'message', (event) => listener((event as MessageEvent<DjEngineEvent>).data));
      node.port.start();
    },
    nowSeconds: () => audibleSeconds(context),
    wake() {
      wakeContext(context);
      headphones.wake();
    },
    dispose: () => scope.dispose(),
  };
}

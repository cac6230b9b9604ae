import { Scope } from '../base/scope.ts';
import { studioContext, wakeContext } from '../base/studio-context.ts';
import type { SongStripPort } from '../player/mix-player.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import address from '../worklets/song-strip.worklet.ts?worker&url';

let module: Promise<void> | null = null;

/**
 * Routes an audio element through pan and equaliser in the page's only audio context: `element → strip → output`. An
 * element can be routed once.
 *
 * @throws Error where the browser has no audio worklets, as on plain http
 */
export async function createSongStripNode(element: HTMLMediaElement): Promise<SongStripPort> {
  const context = studioContext();
  if (!('audioWorklet' in context))
    throw new Error('Pan and equaliser work only over https or on localhost.');
  module ??= context.audioWorklet.addModule(address);
  await module.catch((error: unknown) => {
    module = null;
    throw new Error('Pan and equaliser could not be loaded: the studio is not reachable.', { cause: error });
  });
  const scope = new Scope();
  const node = new AudioWorkletNode(context, 'song-strip', { outputChannelCount: [2] });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  scope.own(() => node.port.postMessage({ type: 'close' }));
  scope.node(context.createMediaElementSource(element)).connect(node);
  scope.node(node).connect(context.destination);
  wakeContext(context);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    set: (tone) => node.port.postMessage({ type: 'tone', ...tone }),
    wake: () => wakeContext(context),
    dispose: () => scope.dispose(),
  };
}

import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';

/** Port to a renderer class: an audio worklet in the browser, the class itself in tests. */
export interface KernelPort<Command, Report> {
  post(command: Command, transfer?: ArrayBuffer[]): void;
  /** Sets the listener for reports; there is one. */
  onReport(listener: (report: Report) => void): void;
  /** Audio-clock time that is audible now, in seconds. */
  nowSeconds(): number;
  /** Resumes the audio output; browsers require a press for it. */
  wake(): void;
  dispose(): void;
}

/** An audio worklet and the messages about its failures. */
export interface KernelModule {
  /** Name that the worklet registers. */
  readonly name: string;
  readonly address: string;
  /** Message where the browser has no audio worklets, as on plain http. */
  readonly refusal: string;
  /** Message where the module cannot be loaded. */
  readonly failure: string;
}

const loaded = new Map<string, Promise<void>>();

/**
 * Creates a stereo renderer in the audio thread of the page's only context: `renderer → output`.
 *
 * @throws Error with one of the messages of the module
 */
export async function createKernelNode<Command, Report>({
  name,
  address,
  refusal,
  failure,
}: KernelModule): Promise<KernelPort<Command, Report>> {
  const context = studioContext();
  if (!('audioWorklet' in context)) throw new Error(refusal);
  const loading = loaded.get(name) ?? context.audioWorklet.addModule(address);
  loaded.set(name, loading);
  await loading.catch((error: unknown) => {
    loaded.delete(name);
    throw new Error(failure, { cause: error });
  });
  const scope = new Scope();
  const node = new AudioWorkletNode(context, name, { numberOfInputs: 0, outputChannelCount: [2] });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  scope.own(() => node.port.postMessage({ type: 'close' }));
  scope.node(node).connect(context.destination);
  return {
    post: (command, transfer = []) => node.port.postMessage(command, transfer),
    onReport(listener) {
      scope.listen(node.port, 'message', (event) => listener((event as MessageEvent<Report>).data));
      node.port.start();
    },
    nowSeconds: () => audibleSeconds(context),
    wake: () => wakeContext(context),
    dispose: () => scope.dispose(),
  };
}

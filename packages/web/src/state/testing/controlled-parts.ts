import type { DjEnginePort } from '@stem-studio/audio/dj-engine/dj-engine-port';
import type { MicrophoneInput } from '@stem-studio/audio/dj-engine/microphone-input';
import type { DjEngineCommand } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { ControlledParts } from '../decks/decks-controls.ts';
import { MicrophoneBoard } from '../microphone/microphone-board.ts';
import type { SampleStore, StoredPad } from '../sampler/sample-store.ts';
import { SamplerBoard } from '../sampler/sampler-board.ts';

/** Storage of pads in memory. */
export function createMemoryStore(): SampleStore & { stored: Map<number, StoredPad> } {
  const stored = new Map<number, StoredPad>();
  return {
    stored,
    read: async () => new Map(stored),
    async write(_, pad, value) {
      if (value) stored.set(pad, value);
      else stored.delete(pad);
    },
  };
}

/** A microphone that is always there. */
const presentMicrophone: MicrophoneInput = {
  open: async () => ({ id: 'one', label: 'Microphone' }),
  close() {},
  devices: async () => [{ id: 'one', label: 'Microphone' }],
  onEnd() {},
  onChange() {},
};

/**
 * Sampler and microphone for tests of controls, with an engine that plays a pad from its press until it is stopped.
 *
 * @param onCommand receives the commands to the engine, from now on
 */
export function createControlledParts(
  onCommand: (command: DjEngineCommand) => void = () => {},
): ControlledParts {
  const sampler = new SamplerBoard({
    store: createMemoryStore(),
    userId: async () => null,
    notify() {},
  });
  const microphone = new MicrophoneBoard({ read: () => null, write() {} });
  let isAttached = false;
  const port: DjEnginePort = {
    sampleRateHz: 44_100,
    headphones: null,
    microphone: presentMicrophone,
    post(command) {
      if (isAttached) onCommand(command);
      if (command.type !== 'sampler' || command.command.type !== 'press') return;
      const { pad } = command.command;
      sampler.receive(
        sampler.state
          .getState()
          .pads.map((_, index) => ({ state: index === pad ? 'playing' : 'idle', progress: 0 })),
      );
    },
    onEvent() {},
    nowSeconds: () => 0,
    wake() {},
    dispose() {},
  };
  sampler.attach(port);
  microphone.attach(port);
  isAttached = true;
  return { sampler, microphone };
}

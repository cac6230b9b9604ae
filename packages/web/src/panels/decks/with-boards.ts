import type { DjEnginePort } from '@stem-studio/audio/dj-engine/dj-engine-port';
import type { ControlledParts } from '../../state/decks/decks-controls.ts';

/**
 * Connects the sampler and the microphone with an engine, and disconnects them when it is closed. Returns the port for
 * the decks.
 *
 * @param onClose called before the engine is closed
 */
export function withBoards(
  port: DjEnginePort,
  { sampler, microphone }: ControlledParts,
  onClose: () => void,
): DjEnginePort {
  sampler.attach(port);
  microphone.attach(port);
  return {
    ...port,
    onEvent: (listener) =>
      port.onEvent((event) => {
        if (event.type === 'captured') sampler.receiveCapture(event);
        else listener(event);
        if (event.type !== 'report') return;
        sampler.receive(event.pads);
        microphone.receive(event.microphone);
      }),
    dispose() {
      onClose();
      sampler.attach(null);
      microphone.attach(null);
      port.dispose();
    },
  };
}

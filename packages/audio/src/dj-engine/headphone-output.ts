import type { Scope } from '../base/scope.ts';

/** An output device for headphones, apart from the master. */
export interface HeadphoneDevice {
  id: string;
  /** Name from the browser or the device; empty where the browser does not disclose it. */
  label: string;
}

/** The headphone output. */
export interface HeadphoneOutput {
  /** Returns the devices that can be chosen; empty where the browser supports none. */
  devices(): Promise<HeadphoneDevice[]>;
  /** Calls `changed` when devices are connected or removed, until the engine is closed. */
  onChange(changed: () => void): void;
  /** Starts playback that the browser blocked until a press; call it in response to one. */
  wake(): void;
  /**
   * Requests the browser's permission to list output devices; call it in response to a press.
   *
   * @throws Error with a message for the user where the user or the browser refuses
   */
  ask(): Promise<void>;
  /**
   * Switches to a device; null mutes the headphones. The last choice wins; an earlier one that is still pending
   * resolves silently.
   *
   * @throws Error with a message for the user where the device cannot be used
   */
  choose(id: string | null): Promise<void>;
}

/** Outputs 3 and 4 of the master's own device. */
const REAR_OUTPUTS: HeadphoneDevice = { id: 'outputs-3-4', label: 'Outputs 3 and 4 of this device' };

/** Ids of the device that plays the master: cued audio must not be audible there. */
const masterDeviceIds = new Set(['', 'default', 'communications']);

/** Property that some browsers have and the types lack. */
type SelectingDevices = MediaDevices & { selectAudioOutput?: () => Promise<MediaDeviceInfo> };

/**
 * Connects master and headphones to their outputs.
 *
 * - A device with four outputs, as DJ controllers have, plays both: `master → 1, 2` and `headphones → 3, 4`, on one
 *   clock and with one latency.
 * - Else the headphones use a second device: `headphones → media stream → audio element with its own sink`. A context
 *   has one device only, and two contexts have two clocks; the browser keeps a stream and an element in sync. Its buffers
 *   delay the headphones by some ten milliseconds.
 */
export function createHeadphoneOutput(
  context: AudioContext,
  scope: Scope,
  master: AudioNode,
  connectHeadphones: (to: AudioNode) => void,
): HeadphoneOutput {
  const { destination } = context;
  const hasFourOutputs = destination.maxChannelCount >= 4;
  const gate = scope.node(context.createGain());
  connectHeadphones(gate);
  const rear = hasFourOutputs ? openFourOutputs(context, scope, master) : null;
  if (!rear) master.connect(destination);
  let element: HTMLAudioElement | null = null;
  let stream: MediaStreamAudioDestinationNode | null = null;

  /** Whether the browser blocks playback until a press. */
  let isBlocked = false;

  /** Number of choices made: results of earlier ones are ignored. */
  let choiceCount = 0;
  /** Devices are switched one after the other, so that the last choice is the last one applied. */
  let switching: Promise<void> = Promise.resolve();

  const leave = () => {
    choiceCount++;
    isBlocked = false;
    gate.disconnect();
    element?.pause();
  };
  scope.own(leave);

  const chooseRear = () => {
    if (!rear) throw new Error('this device has no outputs 3 and 4; choose another output');
    gate.connect(rear);
  };
  const goTo = async (id: string, choice: number) => {
    if (choice !== choiceCount) return;
    stream ??= scope.node(context.createMediaStreamDestination());
    element ??= new Audio();
    element.srcObject = stream.stream;
    try {
      await element.setSinkId(id);
      if (choice !== choiceCount) return;
      await element.play().catch((cause: unknown) => {
        if (!(cause instanceof DOMException) || cause.name !== 'NotAllowedError') throw cause;
        isBlocked = choice === choiceCount;
      });
    } catch (cause) {
      if (choice !== choiceCount) return;
      throw new Error('this headphone output is not available; choose another output', { cause });
    }
    if (choice === choiceCount) gate.connect(stream);
  };
  const chooseDevice = (id: string): Promise<void> => {
    if (!canUseSecondDevice()) throw new Error('this browser plays to one output only');
    const choice = choiceCount;
    const gone = switching.then(() => goTo(id, choice));
    switching = gone.catch(() => {});
    return gone;
  };

  return {
    async devices() {
      const found = hasFourOutputs ? [REAR_OUTPUTS] : [];
      if (!canUseSecondDevice()) return found;
      const all = await navigator.mediaDevices.enumerateDevices();
      const outputs = all.filter(
        ({ kind, deviceId }) => kind === 'audiooutput' && !masterDeviceIds.has(deviceId),
      );
      return [...found, ...outputs.map(({ deviceId, label }) => ({ id: deviceId, label }))];
    },
    onChange(changed) {
      if (canUseSecondDevice()) scope.listen(navigator.mediaDevices, 'devicechange', changed);
    },
    wake() {
      if (!isBlocked || !element) return;
      isBlocked = false;
      const choice = choiceCount;
      element.play().catch(() => {
        // The browser still blocks it: the next press may help.
        isBlocked = choice === choiceCount;
      });
    },
    async ask() {
      const devices: SelectingDevices | undefined = navigator.mediaDevices;
      try {
        if (devices?.selectAudioOutput) await devices.selectAudioOutput();
        else {
          // Browsers name outputs to pages that may record; nothing is recorded.
          const microphone = await devices.getUserMedia({ audio: true });
          for (const track of microphone.getTracks()) track.stop();
        }
      } catch (cause) {
        throw new Error('the browser names no other outputs; allow it in the address bar and ask again', {
          cause,
        });
      }
    },
    async choose(id) {
      leave();
      if (id === REAR_OUTPUTS.id) chooseRear();
      else if (id !== null) await chooseDevice(id);
    },
  };
}

/** Connects the master to outputs 1 and 2 of four, and returns the node for outputs 3 and 4. */
function openFourOutputs(context: AudioContext, scope: Scope, master: AudioNode): AudioNode {
  const { destination } = context;
  destination.channelCount = 4;
  destination.channelInterpretation = 'discrete';
  const merger = scope.node(context.createChannelMerger(4));
  const front = scope.node(context.createChannelSplitter(2));
  const rear = scope.node(context.createChannelSplitter(2));
  for (const side of [0, 1]) {
    front.connect(merger, side, side);
    rear.connect(merger, side, side + 2);
  }
  master.connect(front);
  merger.connect(destination);
  return rear;
}

function canUseSecondDevice(): boolean {
  return 'mediaDevices' in navigator && 'setSinkId' in HTMLMediaElement.prototype;
}

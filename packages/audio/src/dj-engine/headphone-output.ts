import type { Scope } from '../base/scope.ts';

/** A place where headphones can be heard apart from the master. */
export interface HeadphoneDevice {
  id: string;
  /** As the browser or the device names it; empty where the browser keeps it to itself. */
  label: string;
}

/** Where the headphones are heard. */
export interface HeadphoneOutput {
  /** What can be chosen, as far as the browser tells; empty where it can do none of it. */
  devices(): Promise<HeadphoneDevice[]>;
  /** Calls `changed` whenever devices come or go, for as long as the booth sounds. */
  onChange(changed: () => void): void;
  /** Begins to play where the browser waits for a press before it lets a page be heard; it has to follow one. */
  wake(): void;
  /**
   * Asks the browser to tell more, which asks the user; it has to follow a press.
   *
   * @throws Error in message where the user or the browser refuses
   */
  ask(): Promise<void>;
  /**
   * Goes over to a device; null is silence. The choice scheduled last holds; one that it overtook ends without a word.
   *
   * @throws Error in message where it cannot be used
   */
  choose(id: string | null): Promise<void>;
}

/** The third and fourth output of the master's own device. */
const REAR_OUTPUTS: HeadphoneDevice = { id: 'outputs-3-4', label: 'Outputs 3 and 4 of this device' };

/** Names of the device that the master plays to already: what is cued would be heard by everybody there. */
const masterDeviceIds = new Set(['', 'default', 'communications']);

/** What some browsers have and the types do not know. */
type SelectingDevices = MediaDevices & { selectAudioOutput?: () => Promise<MediaDeviceInfo> };

/**
 * Brings master and headphones to where they are heard.
 *
 * - A device with four outputs, as DJ controllers have, takes both: `master → 1, 2` and `headphones → 3, 4`, on one clock
 *   and with one delay.
 * - Else the headphones go to a second device: `headphones → media stream → audio element with a sink of its own`. A
 *   context has one device only, and two contexts have two clocks; the browser keeps a stream and an element together.
 *   Its buffers let the headphones come some ten milliseconds after the master.
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

  /** The browser lets the page be heard only after a press, which has not come yet. */
  let isBlocked = false;

  /** Counts the choiceCount: what one of them waited for means nothing after the next. */
  let choiceCount = 0;
  /** Devices are gone over to one after the other, so that the last one asked for is the last one reached. */
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
      throw new Error('the headphones cannot be heard there; choose another output', { cause });
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
        // It was no press after all: the next one may be.
        isBlocked = choice === choiceCount;
      });
    },
    async ask() {
      const devices: SelectingDevices | undefined = navigator.mediaDevices;
      try {
        if (devices?.selectAudioOutput) await devices.selectAudioOutput();
        else {
          // Outputs are named to pages that may listen; nothing is listened to.
          const heard = await devices.getUserMedia({ audio: true });
          for (const track of heard.getTracks()) track.stop();
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

/** Brings the master to the first two of four outputs; what goes into the answered node comes out of the others. */
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

import type { Scope } from '../base/scope.ts';

/** An input device. */
export interface MicrophoneDevice {
  id: string;
  /** Name from the browser or the device; empty where the browser does not disclose it. */
  label: string;
}

/** Why a microphone cannot be used. */
export type MicrophoneTrouble = 'denied' | 'missing' | 'busy' | 'unsupported';

/** Error of a microphone that cannot be used, with a message for the user. */
export class MicrophoneError extends Error {
  readonly trouble: MicrophoneTrouble;

  constructor(trouble: MicrophoneTrouble, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MicrophoneError';
    this.trouble = trouble;
  }
}

/** Microphone input of the engine. */
export interface MicrophoneInput {
  /**
   * Opens a device, without the browser's processing for calls; null opens the default one. Returns the device. The last
   * call wins; an earlier one that is still pending opens nothing.
   *
   * @throws MicrophoneError where it cannot be used
   */
  open(id: string | null): Promise<MicrophoneDevice | null>;
  /** Releases the device. */
  close(): void;
  /** Returns the input devices; their names only once a microphone was allowed. */
  devices(): Promise<MicrophoneDevice[]>;
  /** Calls `ended` when the device in use is unplugged or its permission is withdrawn. */
  onEnd(ended: () => void): void;
  /** Calls `changed` when devices are connected or removed. */
  onChange(changed: () => void): void;
}

const messages: Readonly<Record<MicrophoneTrouble, string>> = {
  denied: 'the browser does not allow the microphone; allow it in the address bar and try again',
  missing: 'no microphone is connected',
  busy: 'the microphone is in use by another program, or does not answer',
  unsupported: 'this browser offers no microphone here; open the studio over https or on localhost',
};

/** Returns the reason of a failed request for a microphone. */
export function microphoneError(cause: unknown): MicrophoneError {
  const name = cause instanceof DOMException ? cause.name : '';
  const trouble =
    name === 'NotAllowedError' || name === 'SecurityError'
      ? 'denied'
      : name === 'NotFoundError' || name === 'OverconstrainedError'
        ? 'missing'
        : 'busy';
  return new MicrophoneError(trouble, messages[trouble], cause);
}

/** Creates the microphone input: `device → media stream → connect`. */
export function createMicrophoneInput(
  context: AudioContext,
  scope: Scope,
  connect: (source: AudioNode) => void,
): MicrophoneInput {
  let stream: MediaStream | null = null;
  let source: AudioNode | null = null;
  let requests = 0;
  let notifyEnd: () => void = () => {};
  const release = () => {
    requests++;
    source?.disconnect();
    source = null;
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
  };
  scope.own(release);
  return {
    async open(id) {
      release();
      const request = requests;
      if (!('mediaDevices' in navigator)) throw new MicrophoneError('unsupported', messages.unsupported);
      let opened: MediaStream;
      try {
        opened = await navigator.mediaDevices.getUserMedia({
          audio: {
            // What helps in calls turns music and speech into a bad recording, and adds latency.
            echoCancellation: false,
            noiseSuppression: false,
            autoGainControl: false,
            ...(id === null ? {} : { deviceId: { exact: id } }),
          },
        });
      } catch (cause) {
        throw microphoneError(cause);
      }
      if (request !== requests) {
        for (const track of opened.getTracks()) track.stop();
        return null;
      }
      stream = opened;
      source = context.createMediaStreamSource(opened);
      connect(source);
      const [track] = opened.getAudioTracks();
      // A track that this page stops does not report its end.
      if (track)
        scope.listen(track, 'ended', () => {
          if (stream === opened) notifyEnd();
        });
      return track ? { id: track.getSettings().deviceId ?? id ?? '', label: track.label } : null;
    },
    close: release,
    async devices() {
      if (!('mediaDevices' in navigator)) return [];
      const all = await navigator.mediaDevices.enumerateDevices();
      return all
        .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
        .map(({ deviceId, label }) => ({ id: deviceId, label }));
    },
    onEnd(ended) {
      notifyEnd = ended;
    },
    onChange(changed) {
      if ('mediaDevices' in navigator) scope.listen(navigator.mediaDevices, 'devicechange', changed);
    },
  };
}

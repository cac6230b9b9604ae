import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';
import type { NoteOutput } from '../notes/note-player.ts';

/** Level of one note at full velocity: several at once stay below full scale. */
const PEAK = 0.22;
const ATTACK_SECONDS = 0.008;
const RELEASE_SECONDS = 0.06;
/** Level after the attack that a held note decays towards. */
const SUSTAIN = 0.55;
const DECAY_SECONDS = 0.25;
const REFERENCE_PITCH = 69;
const REFERENCE_HZ = 440;

/** Synthesiser of notes with a volume. */
export interface NoteSynthesiser extends NoteOutput {
  /** Sets the gain of all notes, 1 by default. */
  setGain(gain: number): void;
}

/**
 * Creates a synthesiser in the page's only audio context: `triangle wave → envelope → output`. Each note has an
 * oscillator of its own, which ends with it.
 */
export function createNoteOutput(): NoteSynthesiser {
  const context = studioContext();
  const scope = new Scope();
  const output = scope.node(context.createGain());
  output.connect(context.destination);
  wakeContext(context);
  return {
    renderedSeconds: () => context.currentTime,
    audibleSeconds: () => audibleSeconds(context),
    play({ pitch, velocity }, atSeconds, durationSeconds) {
      const tone = context.createOscillator();
      const envelope = context.createGain();
      tone.type = 'triangle';
      tone.frequency.value = REFERENCE_HZ * 2 ** ((pitch - REFERENCE_PITCH) / 12);
      // Silent if it is cancelled before it begins.
      envelope.gain.value = 0;
      const peak = PEAK * (velocity / 127);
      const end = atSeconds + Math.max(ATTACK_SECONDS, durationSeconds);
      envelope.gain.setValueAtTime(0, atSeconds);
      envelope.gain.linearRampToValueAtTime(peak, atSeconds + ATTACK_SECONDS);
      envelope.gain.setTargetAtTime(SUSTAIN * peak, atSeconds + ATTACK_SECONDS, DECAY_SECONDS);
      envelope.gain.setTargetAtTime(0, end, RELEASE_SECONDS / 3);
      tone.connect(envelope).connect(output);
      tone.start(atSeconds);
      tone.stop(end + RELEASE_SECONDS);
      const release = scope.own(() => {
        tone.disconnect();
        envelope.disconnect();
      });
      scope.listen(tone, 'ended', release, { once: true });
      return () => {
        const now = context.currentTime;
        if (now >= end) return;
        envelope.gain.cancelScheduledValues(now);
        envelope.gain.setTargetAtTime(0, now, RELEASE_SECONDS / 3);
        tone.stop(now + RELEASE_SECONDS);
      };
    },
    setGain: (gain) => void output.gain.setTargetAtTime(gain, context.currentTime, ATTACK_SECONDS),
    dispose: () => scope.dispose(),
  };
}

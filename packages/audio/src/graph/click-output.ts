import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';
import type { ClickOutput } from '../metronome/metronome.ts';

const ONE_HZ = 1760;
const OTHER_HZ = 1175;
/** Audible over full music, and short enough to mark a moment. */
const PEAK = 0.5;
const DECAY_SECONDS = 0.035;

/**
 * Creates a click output in the page's only audio context: `tone → decay → output`. Downbeats have the higher tone.
 */
export function createClickOutput(): ClickOutput {
  const context = studioContext();
  const scope = new Scope();
  const output = scope.node(context.createGain());
  output.connect(context.destination);
  wakeContext(context);
  return {
    renderedSeconds: () => context.currentTime,
    audibleSeconds: () => audibleSeconds(context),
    click(atSeconds, isDownbeat) {
      const tone = context.createOscillator();
      const decay = context.createGain();
      tone.frequency.value = isDownbeat ? ONE_HZ : OTHER_HZ;
      decay.gain.setValueAtTime(isDownbeat ? PEAK : 0.7 * PEAK, atSeconds);
      decay.gain.exponentialRampToValueAtTime(0.001, atSeconds + DECAY_SECONDS);
      tone.connect(decay).connect(output);
      tone.start(atSeconds);
      tone.stop(atSeconds + DECAY_SECONDS);
      const end = scope.own(() => {
        tone.disconnect();
        decay.disconnect();
      });
      scope.listen(tone, 'ended', end, { once: true });
      return end;
    },
    dispose: () => scope.dispose(),
  };
}

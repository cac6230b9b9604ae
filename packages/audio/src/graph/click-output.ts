import { createClick } from '@stem-studio/renderer/metronome/click-samples';
import { Scope } from '../base/scope.ts';
import { audibleSeconds, studioContext, wakeContext } from '../base/studio-context.ts';
import type { ClickOutput } from '../metronome/metronome.ts';

/** Time constant of a change of the level, in seconds. */
const GAIN_SECONDS = 0.01;

/**
 * Creates a click output in the page's only audio context: `click → gain → output`. It has the clicks of the
 * renderer; downbeats have the higher tone.
 */
export function createClickOutput(): ClickOutput {
  const context = studioContext();
  const scope = new Scope();
  const output = scope.node(context.createGain());
  output.connect(context.destination);
  const clicks = { downbeat: bufferOf(context, true), beat: bufferOf(context, false) };
  wakeContext(context);
  return {
    renderedSeconds: () => context.currentTime,
    audibleSeconds: () => audibleSeconds(context),
    setGain(gain) {
      output.gain.setTargetAtTime(gain, context.currentTime, GAIN_SECONDS);
    },
    click(atSeconds, isDownbeat) {
      const source = context.createBufferSource();
      source.buffer = isDownbeat ? clicks.downbeat : clicks.beat;
      source.connect(output);
      source.start(atSeconds);
      const end = scope.own(() => source.disconnect());
      scope.listen(source, 'ended', end, { once: true });
      return end;
    },
    dispose: () => scope.dispose(),
  };
}

function bufferOf(context: AudioContext, isDownbeat: boolean): AudioBuffer {
  const samples = createClick(isDownbeat, context.sampleRate);
  const buffer = context.createBuffer(1, samples.length, context.sampleRate);
  buffer.copyToChannel(samples, 0);
  return buffer;
}

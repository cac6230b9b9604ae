/** Stems are 44.1 kHz; an output of that rate needs no interpolation on the way. */
const STUDIO_RATE_HZ = 44_100;

/**
 * Asked of the output. With the shortest buffer of a browser, 10 ms, a machine of two cores that draws, decodes and
 * collects garbage beside it breaks the sound a few times a minute (`npm run bench -- dj-page`).
 */
const LATENCY_SECONDS = 0.025;

let studio: AudioContext | null = null;

/** The page's one audio context, scheduled when it is first needed. */
export function studioContext(): AudioContext {
  studio ??= new AudioContext({ sampleRate: STUDIO_RATE_HZ, latencyHint: LATENCY_SECONDS });
  return studio;
}

/** The moment that is heard now, in seconds of the context's clock: what was scheduled is heard a little later. */
export function audibleSeconds(context: AudioContext): number {
  const latency = context.outputLatency || context.baseLatency || 0;
  return context.currentTime - latency;
}

/** Wakes an output that the browser keeps asleep until the first press. */
export function wakeContext(context: AudioContext): void {
  if (context.state === 'suspended') void context.resume();
}

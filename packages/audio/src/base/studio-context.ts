/** Stems have 44.1 kHz; an output of that rate needs no interpolation on the way. */
const STUDIO_RATE_HZ = 44_100;

/**
 * Latency requested of the output. With the shortest buffer of a browser, 10 ms, a machine of two cores that draws,
 * decodes and collects garbage at the same time drops out a few times a minute (`npm run bench -- dj-page`).
 */
const LATENCY_SECONDS = 0.025;

let studio: AudioContext | null = null;

/** Returns the page's only audio context, created on first use. */
export function studioContext(): AudioContext {
  studio ??= new AudioContext({ sampleRate: STUDIO_RATE_HZ, latencyHint: LATENCY_SECONDS });
  return studio;
}

/**
 * Returns the audio-clock time that is audible now, in seconds: rendered audio is audible after the output latency.
 */
export function audibleSeconds(context: AudioContext): number {
  const latency = context.outputLatency || context.baseLatency || 0;
  return context.currentTime - latency;
}

/** Resumes an output that the browser keeps suspended until the first press. */
export function wakeContext(context: AudioContext): void {
  if (context.state === 'suspended') void context.resume();
}

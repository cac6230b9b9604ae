import type { Page } from 'playwright-core';

/** Audio elements of the page, in the order of their creation. Filled by {@link tapElements}. */
interface TappedPage {
  audioElements?: HTMLAudioElement[];
  audioLevel?: (seconds: number) => Promise<number>;
}

/** Keeps the audio elements that the page creates, to measure them. Runs in the page, before its own scripts. */
export function tapElements(): void {
  const page = globalThis as unknown as TappedPage & { Audio: typeof Audio };
  const elements: HTMLAudioElement[] = [];
  const Original = page.Audio;
  page.audioElements = elements;
  page.Audio = new Proxy(Original, {
    construct(target, args: ConstructorParameters<typeof Audio>) {
      const element = new target(...args);
      elements.push(element);
      return element;
    },
  });
  page.audioLevel = async (seconds) => {
    const playing = elements.filter(({ paused }) => !paused);
    if (playing.length === 0) return 0;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    for (const element of playing) {
      const { captureStream } = element as unknown as { captureStream: () => MediaStream };
      const stream = captureStream.call(element);
      // Without audio until the element knows its file.
      if (stream.getAudioTracks().length > 0) context.createMediaStreamSource(stream).connect(analyser);
    }
    const samples = new Float32Array(analyser.fftSize);
    let peak = 0;
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      analyser.getFloatTimeDomainData(samples);
      for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    }
    await context.close();
    return peak;
  };
}

/** Returns how many audio elements of the page play. */
export function elementsPlaying(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { audioElements = [] } = globalThis as unknown as TappedPage;
    return audioElements.filter(({ paused }) => !paused).length;
  });
}

/** Returns the highest sample, 0 to 1, that the playing audio elements put out within some seconds. */
export function elementLevel(page: Page, seconds: number): Promise<number> {
  return page.evaluate(
    (duration) => (globalThis as unknown as TappedPage).audioLevel?.(duration) ?? 0,
    seconds,
  );
}

import type { Page } from 'playwright-core';

/** Interval at which the page checks its signal, in ms: less than a processor needs for checks in every frame. */
const pollMs = 50;

/** Audio output of the page. */
export type Outlet = 'master' | 'phones';

/** Signal at an {@link Outlet} at one moment. */
export interface Measurement {
  /** Root mean square of the left channel over the last 0.1 s. */
  level: number;
  /** Root mean square of the right channel over the last 0.1 s. */
  rightLevel: number;
  /** Frequency of the left channel in Hz, estimated from its zero crossings; 0 for silence. */
  hz: number;
  /** Time of the measurement on the audio clock, in seconds. */
  atSeconds: number;
}

interface Analysers {
  context: BaseAudioContext;
  sides: Record<Outlet, { left: AnalyserNode; right: AnalyserNode } | undefined>;
  /** Sum of the master's right channel and the headphones' left channel, to compare the timing of both signals. */
  both: AnalyserNode;
}

/** Connects analysers to the master and headphone outputs. Runs in the page, before its own scripts. */
export function tapOutputs(): void {
  // oxlint-disable-next-line typescript/unbound-method -- always called with a node as `this`
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode;
  const world = globalThis as { analysers?: Analysers; sinks?: HTMLMediaElement[] };
  const listen = (node: AudioNode, outlet: Outlet) => {
    const { context } = node;
    world.analysers ??= {
      context,
      sides: { master: undefined, phones: undefined },
      both: new AnalyserNode(context, { fftSize: 32_768 }),
    };
    const { both, sides } = world.analysers;
    const splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 });
    const pair = (sides[outlet] ??= {
      left: new AnalyserNode(context, { fftSize: 4096 }),
      right: new AnalyserNode(context, { fftSize: 4096 }),
    });
    connect.call(node, splitter);
    connect.call(splitter, pair.left, 0);
    connect.call(splitter, pair.right, 1);
    connect.call(splitter, both, outlet === 'master' ? 1 : 0);
  };
  const tapped = function (this: AudioNode, ...to: unknown[]): AudioNode {
    if (to[0] instanceof AudioDestinationNode) listen(this, 'master');
    if (to[0] instanceof MediaStreamAudioDestinationNode) listen(this, 'phones');
    return connect.call(this, ...to);
  };
  AudioNode.prototype.connect = tapped;
  // Audio elements outside the document cannot be queried, so they are collected when they are created.
  world.sinks = [];
  globalThis.Audio = new Proxy(Audio, {
    construct(Made, given) {
      const element = new Made(...(given as []));
      world.sinks?.push(element);
      return element;
    },
  });
  Object.assign(globalThis, {
    measure(outlet: Outlet) {
      const sides = world.analysers?.sides[outlet];
      if (!world.analysers || !sides) return { level: 0, rightLevel: 0, hz: 0, atSeconds: 0 };
      const { sampleRate, currentTime } = world.analysers.context;
      const left = new Float32Array(4096);
      const right = new Float32Array(4096);
      sides.left.getFloatTimeDomainData(left);
      sides.right.getFloatTimeDomainData(right);
      const levelOf = (samples: Float32Array) =>
        Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      const crossings: number[] = [];
      for (let n = 1; n < left.length; n++) {
        const [before = 0, after = 0] = [left[n - 1], left[n]];
        if (before < 0 && after >= 0) crossings.push(n - after / (after - before));
      }
      const [first = 0, last = 0] = [crossings[0], crossings.at(-1)];
      const level = levelOf(left);
      return {
        level,
        rightLevel: levelOf(right),
        hz: level > 1e-4 && last > first ? ((crossings.length - 1) / (last - first)) * sampleRate : 0,
        atSeconds: currentTime - (left.length - (first + last) / 2) / sampleRate,
      };
    },
  });
}

/** Returns the current signal at an outlet. */
export async function measure(page: Page, outlet: Outlet): Promise<Measurement> {
  return page.evaluate(
    (from) => (globalThis as unknown as { measure: (outlet: Outlet) => Measurement }).measure(from),
    outlet,
  );
}

/** Waits until the left channel of an outlet reaches `level`, or both are silent for 0, and returns the signal. */
export async function untilLevel(page: Page, outlet: Outlet, level: number): Promise<Measurement> {
  const found = await page
    .waitForFunction(
      ([from, wanted]) => {
        const now = (globalThis as unknown as { measure: (outlet: Outlet) => Measurement }).measure(from);
        return (wanted === 0 ? Math.max(now.level, now.rightLevel) < 1e-4 : now.level >= wanted) && now;
      },
      [outlet, level] as const,
      { polling: pollMs },
    )
    .catch(failWithSignal(page, outlet, level === 0 ? 'silence' : `${level} on the left`));
  return (await found.jsonValue()) as Measurement;
}

/** Returns a rejection handler that throws an error with the last measured signal. */
function failWithSignal(page: Page, outlet: Outlet, wanted: string): (error: unknown) => Promise<never> {
  return async (cause) => {
    const measured = JSON.stringify(await measure(page, outlet));
    throw new Error(`no ${wanted} in the ${outlet}; last measured: ${measured}`, { cause });
  };
}

/** Waits for the given time on the audio clock, in seconds, and returns the signal then. */
export async function listenFor(page: Page, outlet: Outlet, seconds: number): Promise<Measurement> {
  const { atSeconds } = await measure(page, outlet);
  const found = await page
    .waitForFunction(
      ([from, until]) => {
        const now = (globalThis as unknown as { measure: (outlet: Outlet) => Measurement }).measure(from);
        return now.atSeconds >= until && now;
      },
      [outlet, atSeconds + seconds] as const,
      { polling: pollMs },
    )
    .catch(failWithSignal(page, outlet, `${seconds} s after ${atSeconds} s`));
  return (await found.jsonValue()) as Measurement;
}

/** Returns the last 0.75 s of the sum of the master's right channel and the headphones' left channel. */
export async function captureSum(page: Page): Promise<{ samples: number[]; sampleRateHz: number }> {
  return page.evaluate(() => {
    const { analysers } = globalThis as unknown as { analysers: Analysers };
    const samples = new Float32Array(analysers.both.fftSize);
    analysers.both.getFloatTimeDomainData(samples);
    return { samples: [...samples], sampleRateHz: analysers.context.sampleRate };
  });
}

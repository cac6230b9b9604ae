import type { Page } from 'playwright-core';

/** Where sound leaves the page. */
export type Outlet = 'master' | 'phones';

/** What an {@link Outlet} sends out now. */
export interface Heard {
  /** Root mean square of the left side over the last tenth of a second. */
  level: number;
  /** The same of the right side. */
  rightLevel: number;
  /** Frequency of the left side at that moment, by its zero crossings; 0 in silence. */
  hz: number;
  /** That moment by the clock of the sound, in seconds. */
  atSeconds: number;
}

interface Ears {
  context: BaseAudioContext;
  sides: Record<Outlet, { left: AnalyserNode; right: AnalyserNode } | undefined>;
  /** The right of the master and the left of the headphones in one, so that what is in both can be told apart in time. */
  both: AnalyserNode;
}

/** Lets analysers hear whatever the page sends to its output and to its headphones. Runs in the page, before its scripts. */
export function openEars(): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the node that it is of
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode;
  const world = globalThis as { ears?: Ears; sinks?: HTMLMediaElement[] };
  const listen = (node: AudioNode, outlet: Outlet) => {
    const { context } = node;
    world.ears ??= {
      context,
      sides: { master: undefined, phones: undefined },
      both: new AnalyserNode(context, { fftSize: 32_768 }),
    };
    const { both, sides } = world.ears;
    const splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 });
    const heard = (sides[outlet] ??= {
      left: new AnalyserNode(context, { fftSize: 4096 }),
      right: new AnalyserNode(context, { fftSize: 4096 }),
    });
    connect.call(node, splitter);
    connect.call(splitter, heard.left, 0);
    connect.call(splitter, heard.right, 1);
    connect.call(splitter, both, outlet === 'master' ? 1 : 0);
  };
  const tapped = function (this: AudioNode, ...to: unknown[]): AudioNode {
    if (to[0] instanceof AudioDestinationNode) listen(this, 'master');
    if (to[0] instanceof MediaStreamAudioDestinationNode) listen(this, 'phones');
    return connect.call(this, ...to);
  };
  AudioNode.prototype.connect = tapped;
  // Elements that nobody put into the page are found as they are made.
  world.sinks = [];
  globalThis.Audio = new Proxy(Audio, {
    construct(Made, given) {
      const element = new Made(...(given as []));
      world.sinks?.push(element);
      return element;
    },
  });
  Object.assign(globalThis, {
    hear(outlet: Outlet) {
      const sides = world.ears?.sides[outlet];
      if (!world.ears || !sides) return { level: 0, rightLevel: 0, hz: 0, atSeconds: 0 };
      const { sampleRate, currentTime } = world.ears.context;
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

/** What an outlet sends out now. */
export async function hear(page: Page, outlet: Outlet): Promise<Heard> {
  return page.evaluate(
    (from) => (globalThis as unknown as { hear: (outlet: Outlet) => Heard }).hear(from),
    outlet,
  );
}

/** Waits until what an outlet sends out is as loud as `level` on its left, or, for 0, silent; answers what is heard then. */
export async function untilHeard(page: Page, outlet: Outlet, level: number): Promise<Heard> {
  const found = await page
    .waitForFunction(
      ([from, wanted]) => {
        const now = (globalThis as unknown as { hear: (outlet: Outlet) => Heard }).hear(from);
        return (wanted === 0 ? Math.max(now.level, now.rightLevel) < 1e-4 : now.level >= wanted) && now;
      },
      [outlet, level] as const,
    )
    .catch(sayWhatIsHeard(page, outlet, level === 0 ? 'silence' : `${level} on the left`));
  return (await found.jsonValue()) as Heard;
}

/** Throws with what an outlet sends out instead of what was waited for. */
function sayWhatIsHeard(page: Page, outlet: Outlet, wanted: string): (error: unknown) => Promise<never> {
  return async (cause) => {
    const heard = JSON.stringify(await hear(page, outlet));
    throw new Error(`waited in vain for ${wanted} in the ${outlet}, heard last ${heard}`, { cause });
  };
}

/** Lets so many seconds of sound pass, by the clock of the sound; answers what is heard then. */
export async function listenFor(page: Page, outlet: Outlet, seconds: number): Promise<Heard> {
  const { atSeconds } = await hear(page, outlet);
  const found = await page
    .waitForFunction(
      ([from, until]) => {
        const now = (globalThis as unknown as { hear: (outlet: Outlet) => Heard }).hear(from);
        return now.atSeconds >= until && now;
      },
      [outlet, atSeconds + seconds] as const,
    )
    .catch(sayWhatIsHeard(page, outlet, `${seconds} s after ${atSeconds} s`));
  return (await found.jsonValue()) as Heard;
}

/** The last three quarters of a second of the right of the master and the left of the headphones, in one. */
export async function hearBoth(page: Page): Promise<{ samples: number[]; sampleRateHz: number }> {
  return page.evaluate(() => {
    const { ears } = globalThis as unknown as { ears: Ears };
    const samples = new Float32Array(ears.both.fftSize);
    ears.both.getFloatTimeDomainData(samples);
    return { samples: [...samples], sampleRateHz: ears.context.sampleRate };
  });
}

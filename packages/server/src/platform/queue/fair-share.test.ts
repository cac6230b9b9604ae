import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type QueueClass, type QueueTags, shareOf, tagJobs, typicalSeconds } from './fair-share.ts';

interface Waiting extends QueueTags {
  readonly flow: string;
  readonly cost: number;
  readonly arrival: number;
}

/** In-memory model of a line with one lane. */
function createLine() {
  let virtualTime = 0;
  let arrivals = 0;
  const finishTags = new Map<string, number>();
  const waiting: Waiting[] = [];
  return {
    waiting,
    add(flow: string, queueClass: QueueClass, costs: readonly number[]) {
      const own = waiting.filter((job) => job.flow === flow).map((job) => job.queue_finish_tag);
      const finishTag = Math.max(finishTags.get(flow) ?? 0, ...own);
      for (const [i, tags] of tagJobs({ virtualTime, finishTag }, queueClass, costs).entries())
        waiting.push({ ...tags, flow, cost: costs[i] ?? 0, arrival: arrivals++ });
    },
    start(): Waiting {
      waiting.sort((a, b) => a.queue_tag - b.queue_tag || a.arrival - b.arrival);
      const job = waiting.shift();
      assert.ok(job, 'nothing waits');
      virtualTime = Math.max(virtualTime, job.queue_tag);
      const before = Math.max(finishTags.get(job.flow) ?? 0, job.queue_tag);
      finishTags.set(job.flow, before + job.queue_finish_tag - job.queue_tag);
      return job;
    },
  };
}

/** Returns a deterministic pseudo-random generator of numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const classes: readonly [QueueClass, QueueClass] = ['interactive', 'batch'];
const songs = (count: number) => Array.from({ length: count }, () => typicalSeconds);

test('starts a job next after 40 jobs of another user, at any progress of those', () => {
  for (const begun of [1, 2, 17, 39]) {
    const line = createLine();
    line.add('a', 'batch', songs(40));
    for (let i = 0; i < begun; i++) line.start();
    line.add('b', 'interactive', [10]);
    assert.equal(line.start().flow, 'b');
  }
});

test("starts a single request of a user before the same user's import", () => {
  const line = createLine();
  line.add('a batch', 'batch', songs(40));
  line.start();
  line.add('a interactive', 'interactive', [typicalSeconds]);
  assert.equal(line.start().flow, 'a interactive');
});

test('alternates between two users with long lists, from the moment the second arrives', () => {
  const line = createLine();
  line.add('a', 'batch', songs(20));
  for (let i = 0; i < 10; i++) line.start();
  line.add('b', 'batch', songs(20));
  const order = Array.from({ length: 20 }, () => line.start().flow);
  for (let i = 0; i < 20; i += 2) assert.deepEqual(order.slice(i, i + 2).toSorted(), ['a', 'b']);
});

test('shares by work: jobs that are six times as long get a sixth of the starts', () => {
  const line = createLine();
  line.add('long', 'batch', Array<number>(100).fill(600));
  line.add('short', 'batch', Array<number>(600).fill(100));
  const starts = Array.from({ length: 140 }, () => line.start().flow);
  const long = starts.filter((flow) => flow === 'long').length;
  assert.ok(long >= 19 && long <= 21, `${long} of 140`);
});

test('keeps the weighted work of any two waiting flows within the cost of their longest jobs', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = seeded(seed);
    const line = createLine();
    const flows = Array.from({ length: 2 + Math.floor(chance() * 6) }, (_, i) => ({
      name: `flow ${i}`,
      queueClass: classes[chance() < 0.5 ? 0 : 1],
    }));
    const costOf = () => 1 + Math.floor(chance() * 900);
    // All flows always have waiting jobs, whatever the others received before they arrived.
    const work = new Map(flows.map(({ name }) => [name, 0]));
    const present: typeof flows = [];
    for (const flow of flows) {
      line.add(flow.name, flow.queueClass, Array.from({ length: 400 }, costOf));
      present.push(flow);
      for (const { name } of present) work.set(name, 0);
      for (let i = 0; i < 25; i++) {
        const job = line.start();
        work.set(job.flow, (work.get(job.flow) ?? 0) + job.cost);
        for (const a of present) {
          for (const b of present) {
            const [ofA, ofB] = [a, b].map((one) => (work.get(one.name) ?? 0) / shareOf[one.queueClass]);
            const bound = 902 / shareOf[a.queueClass] + 902 / shareOf[b.queueClass];
            const difference = Math.abs((ofA ?? 0) - (ofB ?? 0));
            assert.ok(difference <= bound, `seed ${seed}: ${a.name} and ${b.name} differ by ${difference}`);
          }
        }
      }
    }
  }
});

test('starts every job eventually, although others keep requesting', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = seeded(seed);
    const line = createLine();
    line.add('patient', 'batch', [900, 900]);
    let started = 0;
    let starts = 0;
    while (started < 2) {
      // Four users in two classes, each requesting the next job before their last one has started.
      for (let user = 0; user < 4; user++) {
        for (const queueClass of ['interactive', 'batch'] as const) {
          const flow = `${user} ${queueClass}`;
          if (!line.waiting.some((job) => job.flow === flow))
            line.add(flow, queueClass, [1 + Math.floor(chance() * 900)]);
        }
      }
      starts += 1;
      if (line.start().flow === 'patient') started += 1;
      assert.ok(starts < 20_000, `seed ${seed}: starved`);
    }
    // 900 s at the weight of a batch: each other flow has received 900 s by its own weight, plus one job.
    assert.ok(line.waiting.length > 0);
  }
});

test('charges jobs that have the same tag because they were requested at the same time', () => {
  const line = createLine();
  const same = tagJobs({ virtualTime: 0, finishTag: 0 }, 'interactive', [typicalSeconds])[0];
  assert.ok(same);
  for (let i = 0; i < 8; i++)
    line.waiting.push({ ...same, flow: 'greedy', cost: typicalSeconds, arrival: i - 8 });
  for (let i = 0; i < 8; i++) line.start();
  line.add('greedy', 'interactive', songs(4));
  line.add('other', 'interactive', songs(8));
  // The excess is compensated before the flow is served again.
  const order = Array.from({ length: 9 }, () => line.start().flow);
  assert.deepEqual(order.slice(0, 7), Array<string>(7).fill('other'));
  assert.ok(order.includes('greedy'));
});

test('limits tags to the range of the queue, and charges a minimum for jobs of unknown or zero length', () => {
  const [last] = tagJobs({ virtualTime: 2_147_483_000, finishTag: 0 }, 'batch', [90_000]);
  assert.deepEqual(last, { queue_tag: 2_147_483_000, queue_finish_tag: 2_147_483_647 });
  for (const cost of [0, -5, Number.NaN, 0.2]) {
    const [tags] = tagJobs({ virtualTime: 7, finishTag: 9 }, 'interactive', [cost]);
    assert.deepEqual(tags, { queue_tag: 9, queue_finish_tag: 10 });
  }
});

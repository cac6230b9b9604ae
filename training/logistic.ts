/** Strength of the preference for small weights, per standard deviation of a feature. */
const DECAY = 1;
const STEPS = 600;

/** Returns the weights of a logistic regression. Features are standardised inside; weights apply to them as given. */
export function logistic(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
): { weights: number[]; bias: number } {
  const width = rows[0]?.length ?? 0;
  const { means, deviations } = scaleOf(rows, width);
  const data = Float64Array.from(
    rows.flatMap((row) => row.map((value, i) => (value - (means[i] ?? 0)) / (deviations[i] ?? 1))),
  );
  const weights = new Float64Array(width + 1);
  const gradient = (): Float64Array => {
    const slope = new Float64Array(width + 1);
    labels.forEach((label, row) => {
      let sum = weights[width] ?? 0;
      for (let i = 0; i < width; i++) sum += (weights[i] ?? 0) * (data[row * width + i] ?? 0);
      const error = label - 1 / (1 + Math.exp(-sum));
      for (let i = 0; i < width; i++) slope[i] = (slope[i] ?? 0) + error * (data[row * width + i] ?? 0);
      slope[width] = (slope[width] ?? 0) + error;
    });
    for (let i = 0; i < width; i++) slope[i] = (slope[i] ?? 0) - DECAY * (weights[i] ?? 0);
    return slope.map((value) => value / labels.length);
  };
  ascend(weights, gradient, 200);
  const scaled = Array.from({ length: width }, (_, i) => (weights[i] ?? 0) / (deviations[i] ?? 1));
  return {
    weights: scaled,
    bias: (weights[width] ?? 0) - scaled.reduce((sum, weight, i) => sum + weight * (means[i] ?? 0), 0),
  };
}

/** One choice: a row of features for each alternative, and which of them are right. */
export interface Choice {
  readonly rows: readonly (readonly number[])[];
  readonly right: readonly boolean[];
}

/**
 * Returns the weights of a conditional logistic regression: of the alternatives of a choice, the probability of one is
 * proportional to the exponential of its weighted sum.
 *
 * @see McFadden, "Conditional logit analysis of qualitative choice behavior", 1974
 */
export function conditionalLogit(choices: readonly Choice[], decay = DECAY): number[] {
  const width = choices[0]?.rows[0]?.length ?? 0;
  const { deviations } = scaleOf(
    choices.flatMap(({ rows }) => rows),
    width,
  );
  const scaled = choices.map(({ rows, right }) => ({
    rows: rows.map((row) => row.map((value, i) => value / (deviations[i] ?? 1))),
    right,
  }));
  const weights = new Float64Array(width);
  const gradient = (): Float64Array => {
    const slope = new Float64Array(width);
    for (const { rows, right } of scaled) {
      const scores = rows.map((row) => row.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0));
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const all = powers.reduce((sum, power) => sum + power, 0);
      const good = powers.reduce((sum, power, k) => sum + (right[k] ? power : 0), 0);
      rows.forEach((row, k) => {
        const power = powers[k] ?? 0;
        const error = (right[k] && good > 0 ? power / good : 0) - power / all;
        row.forEach((value, i) => (slope[i] = (slope[i] ?? 0) + error * value));
      });
    }
    return slope.map((value, i) => (value - decay * (weights[i] ?? 0)) / choices.length);
  };
  ascend(weights, gradient, STEPS);
  return Array.from(weights, (weight, i) => weight / (deviations[i] ?? 1));
}

/** Adam without noise. */
function ascend(weights: Float64Array, gradient: () => Float64Array, steps: number): void {
  const first = new Float64Array(weights.length);
  const second = new Float64Array(weights.length);
  for (let step = 1; step <= steps; step++) {
    const slope = gradient();
    const rate = 0.1 * (1 - (step - 1) / steps) + 0.002;
    for (let i = 0; i < weights.length; i++) {
      first[i] = 0.9 * (first[i] ?? 0) + 0.1 * (slope[i] ?? 0);
      second[i] = 0.99 * (second[i] ?? 0) + 0.01 * (slope[i] ?? 0) ** 2;
      const mean = (first[i] ?? 0) / (1 - 0.9 ** step);
      const size = Math.sqrt((second[i] ?? 0) / (1 - 0.99 ** step)) + 1e-9;
      weights[i] = (weights[i] ?? 0) + (rate * mean) / size;
    }
  }
}

function scaleOf(
  rows: readonly (readonly number[])[],
  width: number,
): { means: number[]; deviations: number[] } {
  const means = Array.from(
    { length: width },
    (_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length,
  );
  const deviations = means.map((mean, i) => {
    const variance = rows.reduce((sum, row) => sum + ((row[i] ?? 0) - mean) ** 2, 0) / rows.length;
    return Math.sqrt(variance) > 1e-9 ? Math.sqrt(variance) : 1;
  });
  return { means, deviations };
}

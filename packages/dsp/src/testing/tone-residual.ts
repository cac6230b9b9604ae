/** Best fit of a tone to audio, with its residual. */
export interface ToneFit {
  /** Amplitude of the fitted tone, √(a² + b²). */
  amplitude: number;
  /** Phase of the fitted tone at the sample numbered 0, in radians: atan2(b, a). */
  phase: number;
  /** Power of the residual relative to the fitted tone, in dB. */
  residualDb: number;
}

/**
 * Fits a·sin(ωn) + b·cos(ωn) with ω = 2π·hz/rate to y[n] by least squares.
 *
 * The two equations are Σ y·sin = a·Σ sin² + b·Σ sin·cos and Σ y·cos = a·Σ sin·cos + b·Σ cos². The residual is
 * 10·log10(Σ (y − fit)² ÷ Σ fit²); it is summed directly, because the difference of large sums loses its precision
 * below −140 dB.
 *
 * @param hz frequency of the tone, below half of `rateHz`
 * @param edgeSamples samples to ignore at either end, where a filter has not settled
 */
export function fitTone(samples: Float32Array, hz: number, rateHz: number, edgeSamples = 0): ToneFit {
  const [from, to] = [edgeSamples, samples.length - edgeSamples];
  const omega = (2 * Math.PI * hz) / rateHz;
  let [ss, sc, cc, ys, yc] = [0, 0, 0, 0, 0];
  for (let n = from; n < to; n++) {
    const [sin, cos, y] = [Math.sin(omega * n), Math.cos(omega * n), samples[n] ?? 0];
    ss += sin * sin;
    sc += sin * cos;
    cc += cos * cos;
    ys += y * sin;
    yc += y * cos;
  }
  const determinant = ss * cc - sc * sc;
  const a = (ys * cc - yc * sc) / determinant;
  const b = (yc * ss - ys * sc) / determinant;
  let [rest, tone] = [0, 0];
  for (let n = from; n < to; n++) {
    const wanted = a * Math.sin(omega * n) + b * Math.cos(omega * n);
    rest += ((samples[n] ?? 0) - wanted) ** 2;
    tone += wanted ** 2;
  }
  return { amplitude: Math.hypot(a, b), phase: Math.atan2(b, a), residualDb: 10 * Math.log10(rest / tone) };
}

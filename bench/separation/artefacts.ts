import type { StereoSound } from '@stem-studio/dsp/separate/four-stems';
import { median } from './sdr.ts';

/** Half the length of what is looked at around a blow: 10 ms. */
const blowFrames = 441;
const blockFrames = 441;
/** A blow rises by so much within 10 ms. */
const riseDb = 12;
const quietPower = 1e-6;

/**
 * How blurred blows have become, in dB: at each blow of the truth, how much louder the 10 ms before it are against
 * the 10 ms after it in the estimate than in the truth. The median; 0 is as sharp as the truth, and masks smear what
 * is after a blow to before it. NaN without blows.
 */
export function blurOfBlowsDb(truth: StereoSound, estimate: StereoSound): number {
  const risesDb: number[] = [];
  for (let at = 2 * blockFrames; at + blowFrames < truth.left.length; at += blockFrames) {
    const after = power(truth, at, at + blowFrames);
    const before = power(truth, at - blowFrames, at);
    if (after < quietPower || after < before * 10 ** (riseDb / 10)) continue;
    const found = power(estimate, at - blowFrames, at) / (power(estimate, at, at + blowFrames) + 1e-12);
    risesDb.push(10 * Math.log10((found + 1e-6) / (before / after + 1e-6)));
  }
  return median(risesDb);
}

function power({ left, right }: StereoSound, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (left[i] as number) ** 2 + (right[i] as number) ** 2;
  return sum / (to - from);
}

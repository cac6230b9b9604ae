import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, knownParts, power, sdrDb } from '../testing/known-parts.ts';
import { voiceMaskOracle } from '../testing/voice-mask-oracle.ts';
import { createFourStemSeparator, type EstimateVoiceMasks } from './four-stems.ts';
import { voiceBins } from './voice-network.ts';

const parts = knownParts(8);
const mixture = add(parts.vocals, parts.drums, parts.bass, parts.other);
const oracle = await voiceMaskOracle(parts.vocals);

/** Masks that miss the voice in every third half second, and its upper harmonics always. */
const missing: EstimateVoiceMasks = {
  estimate(left, right) {
    const masks = oracle.estimate(left, right);
    for (const mask of [masks.left, masks.right]) {
      for (let i = 0; i < mask.length; i++) {
        const frame = Math.floor(i / voiceBins);
        if (Math.floor(frame / 22) % 3 === 2 || i % voiceBins > 130) mask[i] = 0;
      }
    }
    return masks;
  },
};

test('the harmonics of a melody that the masks miss are found', async (context) => {
  const [plain, completed] = await Promise.all(
    (['direct', 'refined'] as const).map(async (recipe) => {
      const separator = await createFourStemSeparator(recipe, missing);
      return sdrDb(parts.vocals, separator.separate(mixture.left, mixture.right).stems.vocals);
    }),
  );
  context.diagnostic(`${plain} dB, completed ${completed} dB`);
  assert.ok((completed as number) >= (plain as number) + 2, `${plain} dB, completed ${completed} dB`);
});

test('where the masks see no voice, a melody of instruments stays in the accompaniment', async () => {
  const separator = await createFourStemSeparator('refined', await voiceMaskOracle(null));
  const { vocals } = separator.separate(mixture.left, mixture.right).stems;
  assert.ok(10 * Math.log10(power(vocals) / power(mixture)) < -60);
});

import { test } from 'node:test';
import { visit } from './browser.ts';
import { setStage } from './stage.ts';
import { testEffects } from './stage-effects.ts';
import { testPhones } from './stage-phones.ts';
import { playStage } from './stage-play.ts';
import { touchStage } from './stage-touch.ts';
import { startStudio } from './studio.ts';

test('two decks with touch input and headphones', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off' });
  const stage = await visit(t, studio, { isTouch: true, hasSecondOutput: true });
  await setStage(stage, studio);
  await touchStage(t, stage);
  await playStage(t, stage);
  await testEffects(t, stage);
  await testPhones(t, stage);
});

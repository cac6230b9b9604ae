import type { TestContext } from 'node:test';
import { type Visit, visit } from './browser.ts';
import { trackRow, uploadSong } from './library-page.ts';
import { setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';

/**
 * Starts a studio, uploads one song named "Small song" and opens its page at once. The service may still be
 * receiving, analysing and separating it.
 *
 * @param seconds length of the song
 * @param settings settings of the service, such as `AUTO_SEPARATE`
 * @param song its WAV file
 */
export async function openSmallSong(
  t: TestContext,
  seconds: number,
  settings: Readonly<Record<string, string>> = {},
  song: Buffer = smallSong(seconds),
): Promise<Visit> {
  const studio = await startStudio(t, settings);
  const visited = await visit(t, studio);
  const { page } = visited;
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();
  await uploadSong(page, 'Small song', song);
  await trackRow(page, 'Small song')
    .getByText(/^Small song/)
    .click();
  return visited;
}

import type { Scope } from '@stem-studio/audio/base/scope';
import { type Control, pressControl, releaseControl } from '../../../state/controls/control.ts';

/** Name of the DOM event that presses the play button of the deck whose element receives it. */
export const playEvent = 'dj:play';

/**
 * Makes {@link playEvent} on a deck's element press the play control: it acts at once in the browser, and the service
 * is notified as for any command.
 *
 * @spec DJ decks
 */
export function listenForPlay(scope: Scope, element: EventTarget, play: Control): void {
  scope.listen(element, playEvent, () => {
    pressControl(play);
    releaseControl(play);
  });
}

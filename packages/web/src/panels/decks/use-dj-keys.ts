import { type Control, pressControl, releaseControl } from '../../state/controls/control.ts';
import type { DjEngine } from '../../state/decks/dj-engine.ts';
import { zoomedSpan } from '../../state/decks/dj-state.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { keepsSpace } from '../../ui/pointer-focus.ts';
import { useScope } from '../../ui/use-scope.ts';
import { djActionOfKey } from './dj-keys.ts';

/** Target of the keys. */
type KeyTarget = Pick<DjEngine, 'controls' | 'state'>;

/** Keys that the track list handles itself while one of its rows has the focus. */
const listKeys = /^(Enter|Delete|ContextMenu|F10|[eEfF]|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;
/** Keys that move a slider. */
const sliderKeys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;

/** Makes the keys of the decks work anywhere on the page, except where the focused element handles them. */
export function useDjKeys(target: KeyTarget | null): void {
  useScope(
    (scope) => {
      if (!target) return;
      const held = new Map<string, Control>();
      const releaseAll = () => {
        for (const control of held.values()) releaseControl(control);
        held.clear();
      };
      // Captured before the track list receives it, whose Space would preview a track.
      scope.listen(
        document,
        'keydown',
        (event) => {
          if (event instanceof KeyboardEvent && onKeyDown(target, event, held)) {
            event.preventDefault();
            event.stopPropagation();
          }
        },
        { capture: true },
      );
      scope.listen(document, 'keyup', (event) => {
        if (!(event instanceof KeyboardEvent)) return;
        const control = held.get(event.code);
        if (!control) return;
        held.delete(event.code);
        releaseControl(control);
      });
      // A key that is released while another window has the focus is not reported.
      scope.listen(globalThis, 'blur', releaseAll);
      scope.own(releaseAll);
    },
    [target],
  );
}

function onKeyDown(
  { controls, state }: KeyTarget,
  event: KeyboardEvent,
  held: Map<string, Control>,
): boolean {
  if (event.defaultPrevented || isTyping(event) || belongsToFocus(event)) return false;
  const action = djActionOfKey(event, controls['mixer.deck_b'].read() > 0 ? 'b' : 'a');
  switch (action?.do) {
    case 'press': {
      if (event.repeat) return true;
      const control = controls[action.control];
      pressControl(control);
      if (action.isHeld) held.set(event.code, control);
      else releaseControl(control);
      return true;
    }
    case 'move': {
      const control = controls[action.control];
      control.set(control.read() + action.by);
      return true;
    }
    case 'zoom':
      state.setState(({ spanSeconds }) => ({ spanSeconds: zoomedSpan(spanSeconds, action.notches) }));
      return true;
    case 'list-keys':
      state.setState({ isListingKeys: true });
      return true;
    case undefined:
      return false;
  }
}

function belongsToFocus(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.closest('[role="slider"], input[type="range"], [role="radiogroup"], [role="separator"]') &&
    sliderKeys.test(key)
  )
    return true;
  if (target.closest('[role="grid"]')) return listKeys.test(key);
  if (key === ' ') return keepsSpace(event);
  return key === 'Enter' && target.closest('button, a, summary') !== null;
}

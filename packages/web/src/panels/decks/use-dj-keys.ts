import type { ControlId } from '@stem-studio/contract/controls';
import type { Desk } from '../../state/decks/control-target.ts';
import { controlValue } from '../../state/decks/control-value.ts';
import { zoomedSpan } from '../../state/decks/dj-state.ts';
import { setControl } from '../../state/decks/set-control.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { useScope } from '../../ui/use-scope.ts';
import { djActionOfKey } from './dj-keys.ts';

/** Keys that the list of tracks has for itself while one of its rows has the focus. */
const listKeys = /^(Enter|Delete|ContextMenu|F10|[eEfF]|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;
/** Keys that move a slider. */
const sliderKeys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;

/** Lets the keys of the decks work anywhere on the page, except where they belong to what has the focus. */
export function useDjKeys(desk: Desk | null): void {
  useScope(
    (scope) => {
      if (!desk) return;
      const held = new Map<string, ControlId>();
      const letGo = () => {
        for (const control of held.values()) setControl(desk, control, 0);
        held.clear();
      };
      // Heard before the list of tracks hears it, whose Space would play a track by itself.
      scope.listen(
        document,
        'keydown',
        (event) => {
          if (event instanceof KeyboardEvent && onKeyDown(desk, event, held)) {
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
        setControl(desk, control, 0);
      });
      // What is let go in another window is let go here.
      scope.listen(globalThis, 'blur', letGo);
      scope.own(letGo);
    },
    [desk],
  );
}

function onKeyDown(desk: Desk, event: KeyboardEvent, held: Map<string, ControlId>): boolean {
  if (event.defaultPrevented || isTyping(event) || belongsToFocus(event)) return false;
  const { active_deck } = desk.decks.session.getState().mixer;
  const action = djActionOfKey(event, active_deck);
  switch (action?.do) {
    case 'press':
      if (event.repeat) return true;
      if (action.isHeld) held.set(event.code, action.control);
      setControl(desk, action.control, 1);
      return true;
    case 'move':
      setControl(desk, action.control, controlValue(desk, action.control) + action.by);
      return true;
    case 'zoom':
      desk.state.setState(({ spanSeconds }) => ({ spanSeconds: zoomedSpan(spanSeconds, action.notches) }));
      return true;
    case 'list-keys':
      desk.state.setState({ isListingKeys: true });
      return true;
    default:
      return false;
  }
}

function belongsToFocus({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="slider"], input[type="range"], [role="radiogroup"]') && sliderKeys.test(key))
    return true;
  if (target.closest('[role="grid"]')) return listKeys.test(key);
  return (key === ' ' || key === 'Enter') && target.closest('button, a, summary') !== null;
}

/** Keys that move the focus. */
const focusKeys = /^(Tab|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;

let isByPointer = false;
/** Element whose focus came from the pointer, directly or by a menu or dialog that a press closed. */
let focusedByPointer: EventTarget | null = null;
addEventListener('pointerdown', () => (isByPointer = true), { capture: true });
addEventListener('keydown', ({ key }) => focusKeys.test(key) && (isByPointer = false), { capture: true });
addEventListener('focusin', ({ target }) => (focusedByPointer = isByPointer ? target : null), {
  capture: true,
});

/**
 * Returns whether Space belongs to the focused button or link of a key event: it was reached by keyboard. After a click
 * Space plays instead of pressing the button again; then the focus is removed, so that the release of the key does not
 * press it either. Keys that were pressed since the click, such as arrows that seek, do not change that.
 */
export function keepsSpace({ target }: KeyboardEvent): boolean {
  const button = target instanceof HTMLElement ? target.closest('button, a, summary, [role="button"]') : null;
  if (!button) return false;
  if (!isByPointer && document.activeElement !== focusedByPointer) return true;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return false;
}

/** Keys that move the focus. */
const focusKeys = /^(Tab|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;

let isByPointer = false;
addEventListener('pointerdown', () => (isByPointer = true), { capture: true });
addEventListener('keydown', ({ key }) => focusKeys.test(key) && (isByPointer = false), { capture: true });

/**
 * Returns whether Space belongs to the focused button or link of a key event: it was reached by keyboard. After a click
 * Space plays instead of pressing the button again; then the focus is removed, so that the release of the key does not
 * press it either.
 */
export function keepsSpace({ target }: KeyboardEvent): boolean {
  const button = target instanceof HTMLElement ? target.closest('button, a, summary, [role="button"]') : null;
  if (!button) return false;
  if (!isByPointer) return true;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return false;
}

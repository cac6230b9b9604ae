/** Whether a key event belongs to a text field, a select, an open menu or an open dialog instead of the page. */
export function isTyping(event: Event): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="menu"], [role="combobox"], [role="listbox"]')) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

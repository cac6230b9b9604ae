/** Colours of the style sheet by the names that a picture has for them, as an element sees them. */
export function cssColors<Name extends string>(
  element: Element,
  names: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const style = getComputedStyle(element);
  const entries = Object.entries<string>(names).map(([name, token]) => [
    name,
    style.getPropertyValue(`--${token}`).trim(),
  ]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

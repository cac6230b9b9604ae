/** Returns colours of the style sheet by local names, as they apply to an element. */
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

/** Returns the name of a section as a title: `Chorus`. */
export function sectionTitle(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

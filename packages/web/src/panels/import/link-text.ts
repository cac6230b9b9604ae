const webLink = /^https?:\/\/\S+$/i;
/** A host with a path, such as `open.example.com/album/1`, but not `AC/DC`. */
const bareLink = /^[\w-]+(\.[\w-]+)+\/\S+$/;
const catalogLink = /^[a-z][a-z0-9+.-]*:(track|album|playlist|user):\S+$/i;

/** Returns whether a text is a link instead of a search: a web address, or a catalog link such as `catalog:album:…`. */
export function isLink(text: string): boolean {
  return webLink.test(text) || bareLink.test(text) || catalogLink.test(text);
}

/** What the service wrote into the page's head under `name`; the empty string where it wrote nothing. */
export function pageMeta(name: 'csrf-token' | 'demo-album-url' | 'login-session'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** Sites whose links people paste most often, by host without `www.`; subdomains have the same name. */
const names: Readonly<Record<string, string>> = {
  'youtube.com': 'YouTube',
  'youtu.be': 'YouTube',
  'youtube-nocookie.com': 'YouTube',
  'soundcloud.com': 'SoundCloud',
  'spotify.com': 'Spotify',
  'spotify.link': 'Spotify',
  'spoti.fi': 'Spotify',
  'music.apple.com': 'Apple Music',
  'itunes.apple.com': 'Apple Music',
  'bandcamp.com': 'Bandcamp',
  'deezer.com': 'Deezer',
  'deezer.page.link': 'Deezer',
  'tidal.com': 'TIDAL',
  'music.amazon.com': 'Amazon Music',
  'beatport.com': 'Beatport',
  'mixcloud.com': 'Mixcloud',
  'vimeo.com': 'Vimeo',
  'tiktok.com': 'TikTok',
  'instagram.com': 'Instagram',
  'facebook.com': 'Facebook',
  'dropbox.com': 'Dropbox',
  'drive.google.com': 'Google Drive',
};

/**
 * Returns the name of the site that a web link points to: its display name, or its host for an unknown site. Null for
 * text that is not a web link.
 */
export function siteOfLink(text: string): string | null {
  const trimmed = text.trim();
  const absolute = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!/^https?:\/\/[^\s/]+\.[^\s/]+/i.test(absolute) || !URL.canParse(absolute)) return null;
  const host = new URL(absolute).hostname.toLowerCase().replace(/^www\./, '');
  const labels = host.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const name = names[labels.slice(from).join('.')];
    if (name !== undefined) return name;
  }
  return host;
}

/** Data of the stand-in for the web catalog: constant, so that tests can rely on it. */

/** Number of the stand-in's tracks, numbered from 0. */
export const standInTracks = 1200;
/** Tracks of each album, in order: album 0 contains the tracks 0 to 59. */
export const standInAlbumTracks = 60;

/** Returns an id in the format of the web catalog: 22 letters and digits. */
export function standInId(kind: 'track' | 'album' | 'playlist', number: number): string {
  return kind.slice(0, 3) + String(number).padStart(19, '0');
}

/** Returns the number in an id of this kind, or null. */
export function numberOf(kind: 'track' | 'album' | 'playlist', id: string): number | null {
  const match = /^([a-z]{3})(\d{19})$/.exec(id);
  return match?.[1] === kind.slice(0, 3) ? Number(match[2]) : null;
}

const first = [
  'Amber',
  'Broken',
  'Cobalt',
  'Distant',
  'Early',
  'Feral',
  'Golden',
  'Hollow',
  'Inner',
  'Jagged',
];
const second = ['Harbour', 'Signal', 'Meridian', 'Static', 'Orchard', 'Voltage', 'Winter', 'Lantern'];
const artists = ['Kestrel Row', 'Nadia Voss', 'The Low Tides', 'Ferrum', 'Ó Súilleabháin', '東京ライン'];

/** Returns the title of a track. */
export function titleOf(number: number): string {
  return `${first[number % first.length]} ${second[Math.floor(number / first.length) % second.length]} ${number}`;
}

/** Returns the artist of a track. */
export function artistOf(number: number): string {
  return artists[number % artists.length] ?? '';
}

/** Returns the length of a track in milliseconds: 20 to 39 s. */
export function durationOf(number: number): number {
  return (20 + (number % 20)) * 1000;
}

/** Numbers of the playlists, by their contents or by how they are served. */
export const standInPlaylists = {
  thousand: 1,
  oldNesting: 2,
  mixed: 3,
  forbidden: 4,
  circle: 5,
  html: 6,
  elsewhere: 7,
  short: 8,
  slow: 9,
  empty: 10,
  cut: 11,
  /** Visible only to its owner. */
  private: 12,
} as const;

/** Returns a track as the web catalog's API describes it. */
export function trackObject(number: number, origin: string, isInAlbum = false): Record<string, unknown> {
  const id = standInId('track', number);
  const album = Math.floor(number / standInAlbumTracks);
  return {
    type: 'track',
    id,
    name: titleOf(number),
    artists: [{ name: artistOf(number) }, ...(number % 7 === 0 ? [{ name: 'Somebody' }] : [])],
    duration_ms: durationOf(number),
    explicit: number % 10 === 3,
    is_local: false,
    external_urls: { spotify: `https://open.spotify.com/track/${id}` },
    ...(!isInAlbum && {
      album: albumHead(album, origin),
      external_ids: { isrc: `XXSTD26${String(number).padStart(5, '0')}` },
    }),
  };
}

/** Returns the head of an album. */
export function albumHead(number: number, origin: string): Record<string, unknown> {
  return {
    id: standInId('album', number),
    name: `Album ${number}`,
    images: [640, 300, 64].map((size) => ({
      url: `${origin}/covers/${number}-${size}.png`,
      width: size,
      height: size,
    })),
  };
}

function nested(number: number, origin: string, name: 'item' | 'track'): Record<string, unknown> {
  return { added_at: '2026-01-01T00:00:00Z', is_local: false, [name]: trackObject(number, origin) };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns all entries of a playlist, or null if it does not exist. */
export function entriesOf(playlist: number, origin: string): Record<string, unknown>[] | null {
  const {
    thousand,
    oldNesting,
    mixed,
    forbidden,
    circle,
    html,
    elsewhere,
    short,
    slow,
    empty,
    cut,
    private: secret,
  } = standInPlaylists;
  switch (playlist) {
    case thousand:
      return range(1000).map((number) => nested(number, origin, 'item'));
    case oldNesting:
      return range(120).map((number) => nested(number, origin, 'track'));
    case mixed:
      return [
        nested(0, origin, 'item'),
        { is_local: false, item: null },
        { is_local: true, item: { type: 'track', id: null, name: 'My own demo', is_local: true } },
        { is_local: false, item: { type: 'episode', id: 'epi0000000000000000001', name: 'Talking, part 1' } },
        { is_local: false, item: { type: 'track', id: 'x', name: 'Broken', duration_ms: 'long' } },
        nested(1, origin, 'track'),
      ];
    case forbidden:
    case circle:
    case html:
    case elsewhere:
    case short:
    case slow:
    case cut:
    case secret:
      return range(120).map((number) => nested(number, origin, 'item'));
    case empty:
      return [];
    default:
      return null;
  }
}

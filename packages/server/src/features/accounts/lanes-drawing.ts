import { type Html, html } from '../../platform/http/html.ts';

const WIDTH = 640;
/** Width of the names on the left. */
const STRIP = 104;
const RULER = 24;
const LANE = 56;
const BARS = 134;
/** Position of the playhead in the song, 0 to 1. */
const PLAYHEAD = 0.42;

const sections = [
  { name: 'Intro', from: 0 },
  { name: 'Verse', from: 0.14 },
  { name: 'Chorus', from: 0.44 },
  { name: 'Verse', from: 0.72 },
] as const;

/** Returns a number from 0 to 1 that looks random and is the same for each drawing. */
function scatter(index: number, lane: number): number {
  const value = Math.sin(index * 12.9898 + lane * 78.233) * 43758.5453;
  return value - Math.floor(value);
}

/** Level of each stem at a position in the song, 0 to 1. */
const lanes: readonly { readonly name: string; readonly levelAt: (at: number, index: number) => number }[] = [
  {
    name: 'Vocals',
    // Phrases of two bars with a breath between them, after the intro.
    levelAt: (at, index) => {
      const phrase = (at * 11) % 1;
      const isSinging = at > 0.14 && phrase < 0.78 && !(at > 0.66 && at < 0.74);
      return isSinging ? Math.sin(Math.PI * (phrase / 0.78)) ** 0.5 * (0.45 + 0.5 * scatter(index, 1)) : 0.02;
    },
  },
  {
    name: 'Drums',
    // A hit on each beat that decays, louder on the second and the fourth.
    levelAt: (at, index) => {
      const beat = at * 33.5;
      const hit = Math.floor(beat) % 2 === 1 ? 1 : 0.74;
      return at < 0.07 ? 0.02 : hit * Math.exp(-2.6 * (beat % 1)) * (0.86 + 0.14 * scatter(index, 2));
    },
  },
  {
    name: 'Bass',
    levelAt: (at, index) => {
      const note = at * 16.75;
      return at < 0.14 ? 0.02 : (0.66 - 0.3 * (note % 1)) * (0.84 + 0.16 * scatter(index, 3));
    },
  },
  {
    name: 'Other',
    levelAt: (at, index) => (at > 0.44 && at < 0.72 ? 0.62 : 0.36) * (0.6 + 0.4 * scatter(index, 4)),
  },
];

/** Returns the outline of a lane's bars as path data. */
function barsOf(lane: (typeof lanes)[number], middle: number): string {
  const step = (WIDTH - STRIP) / BARS;
  return Array.from({ length: BARS }, (_, index) => {
    const half = Math.max(0.75, lane.levelAt(index / BARS, index) * (LANE / 2 - 7));
    const x = STRIP + index * step;
    return `M${x.toFixed(1)} ${(middle - half).toFixed(1)}h${(step - 1.4).toFixed(1)}v${(2 * half).toFixed(1)}h-${(step - 1.4).toFixed(1)}z`;
  }).join('');
}

function laneOf(lane: (typeof lanes)[number], index: number): Html {
  const top = RULER + index * LANE;
  const middle = top + LANE / 2;
  return html`<g class="lane"><path class="rule" d="M0 ${top}.5h${WIDTH}"/><rect class="swatch" x="16" y="${middle - 9}" width="6" height="18" rx="2"/><text x="30" y="${middle + 5}">${lane.name}</text><path class="bars" d="${barsOf(lane, middle)}"/></g>`;
}

/** Drawing of a song that is separated into four stems, with a sentence about the product. */
export const lanesDrawing: Html = html`<aside class="drawing" aria-label="About Stem Studio">
<p>Take any song apart into its stems, practise with them, and mix on two decks.</p>
<svg viewBox="0 0 ${WIDTH} ${RULER + lanes.length * LANE}" role="img" aria-label="Waveforms of a song in four lanes: ${lanes.map(({ name }) => name.toLowerCase()).join(', ')}">
<rect class="frame" width="${WIDTH}" height="${RULER + lanes.length * LANE}" rx="8"/>
<rect class="strip" x="1" y="${RULER}" width="${STRIP - 8}" height="${lanes.length * LANE - 1}"/>
${sections.map(({ name, from }) => {
  const x = Math.round(STRIP + from * (WIDTH - STRIP));
  return html`<path class="rule" d="M${x}.5 4v${RULER - 8}"/><text class="section" x="${x + 6}" y="16">${name}</text>`;
})}
${lanes.map(laneOf)}
<rect class="ahead" x="${Math.round(STRIP + PLAYHEAD * (WIDTH - STRIP))}" y="${RULER}" width="${Math.round((1 - PLAYHEAD) * (WIDTH - STRIP))}" height="${lanes.length * LANE}"/>
<rect class="playhead" x="${Math.round(STRIP + PLAYHEAD * (WIDTH - STRIP)) - 1}" y="${RULER}" width="2" height="${lanes.length * LANE}"/>
</svg>
</aside>`;

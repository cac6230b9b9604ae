/** Outlines on a 20 × 20 grid; the line has the text colour. */
const outlines = {
  play: 'M6.5 4.2v11.6l9-5.8z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  loop: 'M4 10a4 4 0 0 1 4-4h8M13.5 3.5 16 6l-2.5 2.5M16 10a4 4 0 0 1-4 4H4M6.5 11.5 4 14l2.5 2.5',
  search: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM13 13l4 4',
  zoomIn: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM13 13l4 4M9 6.5v5M6.5 9h5',
  zoomOut: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM13 13l4 4M6.5 9h5',
  close: 'M5 5l10 10M15 5 5 15',
  user: 'M10 3.5a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4ZM3.8 16.8c.8-3 3.2-4.6 6.2-4.6s5.4 1.6 6.2 4.6',
  upload: 'M10 13V4M6.5 7.3 10 3.8l3.5 3.5M4 13v3h12v-3',
  download: 'M10 4v9M6.5 9.7l3.5 3.5 3.5-3.5M4 13.5V16h12v-2.5',
  edit: 'M4 16l.8-3.6L13 4.2l2.8 2.8-8.2 8.2zM11.4 5.8l2.8 2.8',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v4.5M11.5 9v4.5',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.7-4M16 3.5V7h-3.5',
  up: 'M10 15.5v-11M5.5 9 10 4.5 14.5 9',
  down: 'M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5',
  expand: 'M6.5 8 10 11.5 13.5 8',
  start: 'M5 4.5v11M15 4.8v10.4L7.5 10z',
  volume: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 7.5a3.6 3.6 0 0 1 0 5M15.5 5.3a6.6 6.6 0 0 1 0 9.4',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7',
  warning: 'M10 3.5 17.5 16h-15zM10 8.5V12M10 14h.01',
  check: 'M4.5 10.5 8.3 14l7.2-8',
  music:
    'M7.5 15V5l8-1.5v10M7.5 15a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM15.5 13.5a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Z',
  split: 'M3 10h4l3-5h7M7 10l3 5h7M7 10h10',
  pulse: 'M2.5 10.5h3.5l2-6 3.5 11 2.3-7 1.2 2h2.5',
  magnet: 'M4.5 4h3.5v6a2 2 0 1 0 4 0V4h3.5v6a5.5 5.5 0 0 1-11 0zM4.5 7H8M12 7h3.5',
  fitWidth: 'M3 4v12M17 4v12M6 10h8M8 7.5 5.5 10 8 12.5M12 7.5l2.5 2.5-2.5 2.5',
  bookmark: 'M5.5 3.5h9v13L10 13l-4.5 3.5z',
  undo: 'M8 4.5 4 8.5l4 4M4 8.5h7.5a4 4 0 0 1 0 8H8',
  redo: 'M12 4.5l4 4-4 4M16 8.5H8.5a4 4 0 0 0 0 8H12',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  help: 'M7.4 7.6a2.6 2.6 0 1 1 3.8 2.3c-.8.4-1.2 1-1.2 2M10 15h.01',
  fit: 'M7.5 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12.5 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  metronome: 'M7.5 3.5h5l3 13h-11zM10 12.5l5-7',
  tag: 'M10.5 3.5H16.5V9.5L9.5 16.5L3.5 10.5ZM13.4 6.6h.01',
  filter: 'M3.5 5h13M6 10h8M8.5 15h3',
  columns: 'M3.5 4.5h13v11h-13zM8 4.5v11M12.5 4.5v11',
  plus: 'M10 4.5v11M4.5 10h11',
  clock: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM10 6v4.2l2.8 1.8',
  crate: 'M3.5 7.5h13v9h-13zM5 7.5V4.5h10v3M8 10.5h4',
  sidebar: 'M3 4.5h14v11H3zM8 4.5v11',
  previous: 'M5 4.5v11M15 4.8v10.4L7.5 10z',
  next: 'M15 4.5v11M5 4.8v10.4l7.5-5.2z',
  rows: 'M3.5 5h13M3.5 10h13M3.5 15h13',
  rowsDense: 'M3.5 4h13M3.5 8h13M3.5 12h13M3.5 16h13',
  settings:
    'M3.5 6h6M13.5 6h3M11.5 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM3.5 14h2M9.5 14h7M7.5 12a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  add: 'M10 4v12M4 10h12',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof outlines;

/** An icon; decorative, so its parent needs a text or a label. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill={name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={outlines[name]} />
    </svg>
  );
}

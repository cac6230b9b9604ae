/** Fixed-window rate limit: at most `requests` per `seconds`, counted per user (per address before login). */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Every rate limit of the service by name. Endpoints refer to them by name.
 *
 * @spec Rate limits
 */
export const rateLimits = {
  /** All `/api` routes with a bearer token. */
  api_auth: { requests: 60, seconds: 60 },
  /** All `/api` routes with the login cookie; enough for a busy page. */
  api_page: { requests: 1200, seconds: 60 },
  catalog_fetch: { requests: 60, seconds: 60 },
  import: { requests: 10, seconds: 60 },
  download: { requests: 10, seconds: 60 },
  separate: { requests: 10, seconds: 60 },
  analyze: { requests: 10, seconds: 60 },
  transcribe: { requests: 10, seconds: 60 },
  mix: { requests: 10, seconds: 60 },
  /** Login attempts, per address and per account. */
  login: { requests: 10, seconds: 60 },
  /** Registrations, per address. */
  register: { requests: 10, seconds: 60 },
  /** Pages and files; enough for a browser that loads a library with many covers and stems. */
  web: { requests: 3000, seconds: 60 },
} as const satisfies Record<string, RateLimit>;

/** A name in {@link rateLimits}. */
export type RateLimitName = keyof typeof rateLimits;

/** Limits on guessing secrets: a request is refused if it cannot be counted. */
export const strictRateLimits: ReadonlySet<RateLimitName> = new Set(['login', 'register']);

/** Number of jobs that run concurrently, per worker process. */
export const concurrency = {
  download: 3,
  processing: 2,
  analysis: 1,
  cues: 1,
  notes: 1,
  mix: 1,
  network: 1,
} as const;

/** Generated downloads per user that may be created or sent concurrently; further requests wait. */
export const madeFilesPerUser = 4;

/** Total number of attempts per type of job. Only a network error or a dead worker leads to another attempt. */
export const attempts = {
  download: 3,
  processing: 2,
  analysis: 2,
  cues: 2,
  notes: 2,
  mix: 2,
  network: 3,
} as const;

/** Longest single operation of the local separation engine, in milliseconds. */
export const separationTimeoutMs = 300_000;
/** Step in which separation progress is reported, in percent. */
export const separationProgressStep = 10;

/** Defaults of upload limits that a deployment may configure. */
export const uploadDefaults = { maxUploadMb: 512, maxDurationSeconds: 3600 } as const;

/** Bounds of the page size of a list. */
export const pageSize = { min: 1, max: 100, default: 20 } as const;

/** Maximum number of tags per track, and length of each in characters. */
export const tagBounds = { count: 50, length: 50 } as const;

/** Bounds of the fields of a track, and number of tracks that one request may change. */
export const trackBounds = {
  year: { min: 1000, max: 9999 },
  rating: { min: 0, max: 5 },
  genre: 100,
  comment: 2000,
  batch: 500,
} as const;

/** Maximum number of crates per user, of tracks per crate, and length of names in characters. */
export const crateBounds = { perUser: 1000, tracks: 10_000, name: 100, query: 200 } as const;

/** Maximum number of manual cue points per track, and length of a label in characters. */
export const cueBounds = { manualPerTrack: 500, label: 100 } as const;

/**
 * Bounds of beat grids: tempi in beats per minute, positions and shifts (additionally limited by the track's
 * duration), number of taps, and number of edits that can be undone.
 */
export const gridBounds = {
  minBpm: 20,
  maxBpm: 400,
  seconds: 86_400,
  shiftMs: 86_400_000,
  shiftBeats: 64,
  leastTaps: 4,
  mostTaps: 128,
  undoSteps: 100,
} as const;

/**
 * Bounds of the decks: tempi in beats per minute, positions in ms, hot cues and stems per deck, label lengths, input
 * gain, minimum intervals between accepted tempi and positions of a deck, number of windows whose last message is
 * remembered, and lifetime of a session after its last change.
 */
export const deckBounds = {
  bpm: { min: 10, max: 800 },
  ms: 86_400_000,
  hotCues: 16,
  stems: 12,
  label: 100,
  client: 64,
  gainDb: { min: -24, max: 12 },
  autoGainDb: 24,
  referenceLufs: { min: -23, max: -8 },
  platterSeconds: { min: 0.1, max: 6 },
  bpmSeconds: 5,
  reportSeconds: 1,
  rememberedWindows: 50,
  idleSeconds: 86_400,
} as const;

/** Time for which a repeated `Idempotency-Key` returns the first reply, in seconds. */
export const answersRememberedSeconds = 86_400;

/** Time for which a deleted cue point can be restored, in seconds. */
export const restoreWindowSeconds = 600;

/** Limits of a socket. Exceeding one is reported by a reply, the status of the refused upgrade, or the close code. */
export const socketLimits = {
  /** Idle time after which a socket is closed. */
  idleSeconds: 60,
  /** Maximum size of a message, in bytes. */
  messageBytes: 65_536,
  /** Messages, pings included, that a socket may send in {@link socketLimits.windowSeconds}. */
  messages: 200,
  windowSeconds: 10,
  /** Topics that one socket may have joined at once. */
  joins: 100,
  /** Messages of one socket that may await a reply at once; further ones are refused. */
  unanswered: 150,
  /** Sockets that one user may have open at once, per process of the service. */
  perUser: 30,
  /** Upgrades of one address that may be pending at once, per process. */
  pendingPerAddress: 50,
  /**
   * Token buckets per process of the service: capacity `burst`, refill rate `perSecond`. Buckets of a user count all
   * of the user's sockets together. Buckets of an address are large because many users may share one; its upgrades
   * count only if they are not authenticated.
   */
  rates: {
    user: {
      upgrades: { burst: 60, perSecond: 1 },
      joins: { burst: 300, perSecond: 10 },
      messages: { burst: 1000, perSecond: 100 },
    },
    address: {
      upgrades: { burst: 300, perSecond: 10 },
      joins: { burst: 3000, perSecond: 100 },
    },
  },
  /** Send backlog above which a slow client is disconnected, in bytes. */
  backlogBytes: 1_000_000,
} as const;

/**
 * Bounds of the stem player and of exported mixes: tempo in percent of the recorded one, key in semitones either way,
 * volume of a stem (1 is as recorded), gain of an equaliser band in dB, shortest part of a song that is exported, and
 * length of a count-in in bars.
 */
export const mixBounds = {
  slowestPercent: 50,
  fastestPercent: 150,
  keySemitones: 12,
  volume: 2,
  eqDb: { min: -24, max: 12 },
  shortestSeconds: 0.1,
  countInBars: 2,
} as const;

/** Time for which the file of a rendered mix is kept, in seconds, and number of files that are kept per user. */
export const keptMixes = { seconds: 86_400, perUser: 20 } as const;

/**
 * Bounds of the editor: positions in ms, gains in percent, pan either way, characters of ids, labels and names, lanes,
 * clips that one operation moves, clips of a project, operations in a log and in a request, projects per track,
 * operations between two stored snapshots of a state, points of a warp and of all warps of a project, tempo of warped
 * audio as a factor, and transposition either way.
 */
export const editBounds = {
  ms: 86_400_000,
  volumePercent: 200,
  pan: 100,
  laneId: 64,
  clipId: 64,
  label: 100,
  name: 100,
  lanes: 64,
  clips: 1000,
  clipsPerProject: 10_000,
  operations: 10_000,
  operationsPerRequest: 100,
  projectsPerTrack: 100,
  snapshotEvery: 50,
  warpPoints: 5000,
  warpPointsPerProject: 40_000,
  leastRate: 0.25,
  mostRate: 4,
  semitones: 24,
  noteId: 64,
  notes: 5000,
  notesPerProject: 20_000,
} as const;

/**
 * Limits of project archives. `version` is the newest manifest that is read; an archive is at most as large as `uploads`
 * uploads, each of its files as one.
 *
 * @spec Project archives
 */
export const archiveBounds = { version: 1, files: 64, manifestBytes: 32 * 2 ** 20, uploads: 8 } as const;

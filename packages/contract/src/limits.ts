/** A fixed window: at most `requests` in each `seconds`, counted per user (per address before login). */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Every rate limit of the service by name. An endpoint names the ones that hold for it.
 *
 * @spec Rate limits
 */
export const rateLimits = {
  /** All `/api` routes under a bearer token. */
  api_auth: { requests: 60, seconds: 60 },
  /** All `/api` routes under the login cookie: what a busy page needs. */
  api_page: { requests: 1200, seconds: 60 },
  catalog_fetch: { requests: 60, seconds: 60 },
  import: { requests: 10, seconds: 60 },
  download: { requests: 10, seconds: 60 },
  separate: { requests: 10, seconds: 60 },
  analyze: { requests: 10, seconds: 60 },
  transcribe: { requests: 10, seconds: 60 },
  /** Log-in attempts, per address and per account. */
  login: { requests: 10, seconds: 60 },
  /** Registrations, per address. */
  register: { requests: 10, seconds: 60 },
  /** Pages and files: a browser that loads a library full of covers and stems. */
  web: { requests: 3000, seconds: 60 },
} as const satisfies Record<string, RateLimit>;

/** A name in {@link rateLimits}. */
export type RateLimitName = keyof typeof rateLimits;

/** Limits of what guesses at secrets: a request that cannot be counted against them is refused. */
export const strictRateLimits: ReadonlySet<RateLimitName> = new Set(['login', 'register']);

/** Runs at the same time, per worker process. */
export const concurrency = { download: 3, processing: 2, analysis: 1, cues: 1, notes: 1 } as const;

/** Files that are made for one user to be downloaded, being made or on their way at once; a further one waits. */
export const madeFilesPerUser = 4;

/** Attempts in all, per kind of job. Only a network error or a dead worker uses up more than one. */
export const attempts = { download: 3, processing: 2, analysis: 2, cues: 2, notes: 2 } as const;

/** Longest single operation of the local separation engine, in milliseconds. */
export const separationTimeoutMs = 300_000;
/** Separation progress is told in steps of so many percent. */
export const separationProgressStep = 10;

/** Defaults for what a deployment may set. */
export const uploadDefaults = { maxUploadMb: 512, maxDurationSeconds: 3600 } as const;

/** Bounds of a page of a list. */
export const pageSize = { min: 1, max: 100, default: 20 } as const;

/** Bounds of a track's tags: how many, and how long each is in characters. */
export const tagBounds = { count: 50, length: 50 } as const;

/** Bounds of cue points: how many a track has that its owner set, and how long a name is in characters. */
export const cueBounds = { manualPerTrack: 500, label: 100 } as const;

/**
 * Bounds of beat grids: tempi in beats a minute, places and shifts (a song is shorter, which is asked then), taps, and
 * how many edits can be undone.
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
 * Bounds of the decks: tempi in beats a minute, places in milliseconds, hot cues and stems of a deck, names, the input
 * gain, how often the service takes a tempo and a reported place of a deck, of how many windows it remembers the last
 * message, and how long a session lives after its last change.
 */
export const deckBounds = {
  bpm: { min: 10, max: 800 },
  ms: 86_400_000,
  hotCues: 16,
  stems: 12,
  label: 100,
  client: 64,
  gainDb: { min: -24, max: 12 },
  bpmSeconds: 5,
  reportSeconds: 1,
  rememberedWindows: 50,
  idleSeconds: 86_400,
} as const;

/** The same request with the same `Idempotency-Key` gets the first answer for so long. */
export const answersRememberedSeconds = 86_400;

/** A deleted track or cue point can be brought back for this long. */
export const restoreWindowSeconds = 600;

/** Bounds of a socket. Whoever passes one is told so: by a reply, by the status of the refusal, or by the close code. */
export const socketLimits = {
  /** A socket that has said nothing for this long is closed. */
  idleSeconds: 60,
  /** A message may not be larger, in bytes. */
  messageBytes: 65_536,
  /** Messages, pings among them, that a socket may send in {@link socketLimits.windowSeconds}. */
  messages: 200,
  windowSeconds: 10,
  /** Topics that one socket may have joined at once. */
  joins: 100,
  /** Messages of one socket that may wait for their answer at once; a further one is refused. */
  unanswered: 150,
  /** Sockets that one user may have open at once, in each process of the service. */
  perUser: 30,
  /** Upgrades of one address that may be decided at once, in each process. */
  pendingPerAddress: 50,
  /**
   * Token buckets in each process of the service: `burst` at once, `perSecond` in the long run. Those of a user count all
   * of the user's sockets together. Those of an address are wide, because many users may share one; of its upgrades only
   * those count that come from nobody who is known.
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
  /** A client that does not read is cut off when more than this waits for it, in bytes. */
  backlogBytes: 1_000_000,
} as const;

/**
 * Every error code of the service with its HTTP status. Requests forbidden by the state of a resource are 422 with a
 * code named after the rule; catalog codes are lower case, as in the specification.
 *
 * @spec Errors
 */
export const errorCodes = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  IDEMPOTENCY_KEY_REUSED: 422,
  OWN_ACCOUNT: 422,
  LAST_PLATFORM_ADMIN: 422,
  JOB_NOT_CANCELLABLE: 422,
  JOB_NOT_RETRYABLE: 422,
  TRACK_NOT_DOWNLOADED: 422,
  TRACK_NOT_RESTORABLE: 422,
  CRATE_IS_SMART: 422,
  CRATE_FULL: 422,
  TRACK_NOT_ANALYZED: 422,
  CUE_BEAT_TAKEN: 422,
  CUE_NOT_RESTORABLE: 422,
  TOO_MANY_CUES: 422,
  GRID_LOCKED: 422,
  GRID_CHANGED: 422,
  GRID_EMPTY: 422,
  GRID_NOTHING_TO_UNDO: 422,
  GRID_NOTHING_TO_REDO: 422,
  MODEL_NOT_AVAILABLE: 422,
  LICENCE_NOT_ACCEPTED: 422,
  NETWORK_BUSY: 422,
  CLOUD_KEY_MISSING: 422,
  STEM_WITHOUT_PITCH: 422,
  AUDIO_NOT_ACCEPTED: 422,
  QUOTA_EXCEEDED: 422,
  invalid_url: 400,
  catalog_error: 502,
  unauthorized: 502,
  CLOUD_ERROR: 502,
} as const;

/** A key of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/**
 * Outcome of testing a connection. The service accepts it, refuses it, or could not be reached; `none` if the user
 * has no such connection.
 */
export type ConnectionTest = 'works' | 'refused' | 'unreachable' | 'none';

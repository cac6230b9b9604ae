/**
 * Age in seconds from which a staging file counts as abandoned if its writer runs on another machine and cannot be
 * checked. Files of dead processes of this machine are removed at once.
 */
export const stagingSeconds = 6 * 3600;

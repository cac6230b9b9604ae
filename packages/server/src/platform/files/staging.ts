/**
 * Age in seconds from which a staging file of another machine counts as abandoned. Whether its writer runs cannot be
 * checked. Files of dead processes of this machine are removed at once.
 */
export const stagingSeconds = 6 * 3600;

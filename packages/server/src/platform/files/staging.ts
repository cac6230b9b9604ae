/**
 * Age in seconds from which a staging file is taken for left over, where it cannot be told whether its writer lives: it
 * runs on another machine. Files of dead processes of this machine are removed at once.
 */
export const stagingSeconds = 6 * 3600;

/** Exit codes of the command. */
export const exitCodes = {
  done: 0,
  /** The operation was refused, verification failed, or the awaited run failed. */
  failed: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** `run --wait`: the run neither completed nor failed in time. */
  open: 3,
} as const;

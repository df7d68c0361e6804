/** What the command ends with. */
export const exitCodes = {
  done: 0,
  /** It was refused, or what it verified or waited for is not as it should be. */
  failed: 1,
  /** The arguments are wrong. */
  usage: 2,
  /** `run --wait`: the run neither completed nor failed in time. */
  open: 3,
} as const;

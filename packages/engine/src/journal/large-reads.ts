/** Lets a caller bound the memory and the concurrency of large reads. */
export interface LargeReads {
  /** Awaited before more than 64 KiB are read. @defaultValue resolves at once */
  readonly beforeLargeRead?: () => Promise<void>;
  /**
   * Called with the approximate bytes of memory for the values of each row, and of a large output. An error that the
   * callback throws ends the read.
   *
   * @defaultValue none
   */
  readonly onRead?: (bytes: number) => void;
}

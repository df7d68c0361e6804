/** Lets a caller bound what long readings take. */
export interface LargeReads {
  /** Awaited before more than 64 KiB are read. @defaultValue resolves at once */
  readonly beforeLargeRead?: () => Promise<void>;
  /**
   * Called with the approximate number of bytes of memory that the values of each row, and of a large output, take. An error
   * that it throws ends the reading.
   *
   * @defaultValue none
   */
  readonly onRead?: (bytes: number) => void;
}

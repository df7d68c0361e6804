/** The figures of every measurement, as far as they are known. */
export interface Figures {
  /** Operations (runs, requests, deliveries) per second. */
  readonly perSecond: number;
  /**
   * Runs per second from the first request, including the warm-up, until the last run had ended: for runs that are
   * answered before they end.
   */
  readonly endedPerSecond?: number;
  /** Latency of an operation; for W2 the latency of its resume, from the decision to the durable end. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Peak memory of the measured process. */
  readonly peakRssMb?: number;
  /**
   * Processor time of the measured process per operation, in microseconds, which stays comparable on a shared machine.
   */
  readonly cpuUsEach?: number;
  /** Size of the closed database per operation. */
  readonly diskBytesEach?: number;
  /** Durable transactions per operation. */
  readonly commitsEach?: number;
  /** Write-ahead log per operation, in bytes; Postgres only. */
  readonly walBytesEach?: number;
}

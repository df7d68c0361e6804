/** What every measurement yields, as far as it has it. */
export interface Figures {
  /** Operations (runs, requests, deliveries) by second. */
  readonly perSecond: number;
  /** Runs by second from the first request, those of the warm-up too, until the last had ended: of what is answered before it ends. */
  readonly endedPerSecond?: number;
  /** Latency of an operation; of W2 the latency of its resume, from the decision to the durable end. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Peak of the measured process. */
  readonly peakRssMb?: number;
  /** Processor time of the measured process by operation, in microseconds: what stays comparable on a machine that others use too. */
  readonly cpuUsEach?: number;
  /** Size of the closed database by operation. */
  readonly diskBytesEach?: number;
  /** Durable transactions by operation. */
  readonly commitsEach?: number;
  /** Write-ahead log by operation, in bytes; Postgres only. */
  readonly walBytesEach?: number;
}

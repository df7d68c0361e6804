/**
 * The largest step back of the clock that is ignored, in milliseconds: waits and leases that end sooner than this are
 * not moved. No lease of an invocation or delivery is longer, so that leases that were granted after the step back stay
 * unchanged.
 */
export const clockToleranceMs = 120_000;

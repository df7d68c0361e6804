/**
 * Sets this process's clock ahead, by the milliseconds in `PROOF_CLOCK_AHEAD_MS`: a process that follows a kill
 * begins a minute later, when leases have run out and deliveries are due again, or two days later. Nothing waits for that. Loaded before anything
 * that reads a clock.
 */
import process from "node:process";

const aheadMs = Number(process.env["PROOF_CLOCK_AHEAD_MS"] ?? 0);
const machineNow = Date.now;
Date.now = () => machineNow() + aheadMs;

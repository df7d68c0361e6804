/**
 * Sets this process's clock ahead by the milliseconds in `PROOF_CLOCK_AHEAD_MS`. A process that follows a kill thus
 * begins a minute later, when leases have expired and deliveries are due again, or two days later, without waiting.
 * Loaded before all modules that read a clock.
 */
import process from "node:process";

const aheadMs = Number(process.env["PROOF_CLOCK_AHEAD_MS"] ?? 0);
const machineNow = Date.now;
Date.now = () => machineNow() + aheadMs;

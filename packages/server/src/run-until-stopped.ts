const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Starts a service, waits for SIGTERM or SIGINT, and stops the service. Signals are handled from the beginning: a
 * signal during the start stops the service as soon as it has started. A second signal ends the process immediately,
 * with exit code 1.
 *
 * @example
 * ```ts
 * import { readSettings, runUntilStopped, startServer } from "@procedo/server";
 *
 * await runUntilStopped(() => startServer({ settings: readSettings(process.env) }));
 * ```
 */
export async function runUntilStopped(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  const told = Promise.withResolvers<void>();
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) told.resolve();
    else process.exit(1);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const running = await start();
    await told.promise;
    await running.stop();
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

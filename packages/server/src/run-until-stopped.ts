const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Starts something, waits for the process to be told to end (SIGTERM, SIGINT), and stops it. The signals count from
 * before the start: one that comes meanwhile stops what has just been started. Whoever tells it twice does not want to
 * wait: the process ends with exit code 1.
 *
 * @example
 * ```ts
 * await runUntilStopped(() => startServer({ settings: readSettings(process.env), integrations }));
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

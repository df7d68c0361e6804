const pauseMs = 300;

/** Waits until the person has typed on, which aborts the request. */
export async function whileTyping(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  signal.throwIfAborted();
}

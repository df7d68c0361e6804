const heard = new WeakSet<NodeJS.WriteStream>();

/** Ignores writes to a pipe whose reader has closed it. Other failures are thrown as before. */
export function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  if (heard.has(stream)) return;
  heard.add(stream);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  });
}

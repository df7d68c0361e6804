const heard = new WeakSet<NodeJS.WriteStream>();

/** Lets writing to a pipe that its reader has closed do nothing; any other failure is thrown as before. */
export function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  if (heard.has(stream)) return;
  heard.add(stream);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  });
}

/** The body of the notification that a completed review posts: all decisions in order. For adapters and the engine. */
export function decidedBody(decisions: readonly string[]): string {
  return `[${decisions.join(",")}]`;
}

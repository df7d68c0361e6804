/** The body of the notification that a completed review posts, for adapters: all decisions in order. */
export function outcomeOf(decisions: readonly string[]): string {
  return `[${decisions.join(",")}]`;
}

/** The body of the notification that a completed review posts: all decisions in order. For adapters. */
export function outcomeOf(decisions: readonly string[]): string {
  return `[${decisions.join(",")}]`;
}

/** The scopes that were asked for and are not among the granted ones; none while nothing was granted yet. */
export function missingScopes(asked: readonly string[], granted: readonly string[] | undefined): readonly string[] {
  return granted === undefined ? [] : asked.filter((scope) => !granted.includes(scope));
}

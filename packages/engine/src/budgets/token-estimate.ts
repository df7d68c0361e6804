/** English text has about four characters to a token, JSON three. */
const charactersPerToken = 3;

/** How many tokens a text of so many characters comes to at most, in most cases: what counts until a model says it. Pure. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

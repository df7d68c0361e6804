/** English text has about four characters per token, JSON three. */
const charactersPerToken = 3;

/** A high estimate of the tokens in a text of this length, which counts until a model reports the number. Pure. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

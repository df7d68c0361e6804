/** The maximum length of an error message that is sent, in characters. */
export const maxErrorLength = 16_384;

/** Removes the token from every text that leaves the client or is logged: a message may quote what was sent. */
export interface HideToken {
  text(text: string): string;
  /** Limits the text to `maxChars` characters and appends its length. The token is removed before the cut. */
  cut(text: string, maxChars: number): string;
}

/** A text may have been cut before: at its end, this many characters of the token count as the token. */
const minTailLength = 16;

export function hideToken(token: string): HideToken {
  const hide = (text: string): string => text.replaceAll(token, "[token]");

  function withoutTail(text: string, minLength: number): string {
    for (let length = Math.min(token.length, text.length); length >= minLength; length--) {
      if (text.endsWith(token.slice(0, length))) return text.slice(0, -length);
    }
    return text;
  }

  return {
    text: hide,
    cut: (text, maxChars) => {
      const reach = maxChars + token.length;
      if (text.length <= reach) {
        const clean = withoutTail(hide(text), minTailLength);
        return clean.length <= maxChars ? clean : shortened(clean, maxChars, text.length);
      }
      return shortened(withoutTail(hide(text.slice(0, reach)), 1), maxChars, text.length);
    },
  };
}

/** The start of a text without the token, with the length of the whole text. */
export function shortened(clean: string, maxChars: number, length = clean.length): string {
  return clean.length <= maxChars && clean.length === length
    ? clean
    : `${clean.slice(0, maxChars).toWellFormed()}… (${length} characters)`;
}

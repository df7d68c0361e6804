/** Most of an error's message that is sent, in characters. */
export const maxErrorLength = 16_384;

/** Takes the token out of every text that leaves the client, or is told of: a message may repeat what it was sent. */
export interface HideToken {
  text(text: string): string;
  /** At most so many characters, and how many there were. The token is taken out before anything is cut. */
  cut(text: string, maxChars: number): string;
}

/** Of a text that may have been cut before: so much of the token at its end is taken for the token. */
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

/** The beginning of a text that holds no token, and how many characters there were. */
export function shortened(clean: string, maxChars: number, length = clean.length): string {
  return clean.length <= maxChars && clean.length === length
    ? clean
    : `${clean.slice(0, maxChars).toWellFormed()}… (${length} characters)`;
}

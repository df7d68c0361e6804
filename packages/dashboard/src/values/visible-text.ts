/*
 * Characters that have no look of their own, or change the look of others: controls, marks of direction, spaces of no
 * width, and tags. Texts with them are not what they seem.
 */
const unseen =
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** A text as JSON in quotes, in which each character can be seen. It is still JSON of the same text. */
export function visibleJson(text: string): string {
  return JSON.stringify(text).replaceAll(unseen, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A member's name: without quotes where it is a plain word. */
export function visibleName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(name) ? name : visibleJson(name);
}

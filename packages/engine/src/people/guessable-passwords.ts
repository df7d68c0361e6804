import { commonPasswords } from "./common-passwords.ts";

/*
 * Derivations that guessers try: another case, digits and signs at an end, digits and signs in place of letters, and
 * repetitions. Words are compared in a normal form without these. Pure.
 */

/** Letters by the digits and signs that replace them. An `l` is an `i`, because `1` stands for both. */
const lettersBySign: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g" },
  ...{ "@": "a", $: "s", "!": "i", "|": "i", "+": "t", "€": "e", l: "i" },
};

/** Shorter words would refuse passwords that consist of digits. */
const minWordLength = 4;
/** Characters beside rows of the keyboard, or after an e-mail address, that make no password strong. */
const minAddedLength = 6;

const rows = ["01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const minRowLength = 4;

/** The normal forms of a password, in lower case: with digits and signs stripped at its end, and at both ends. */
function wordsOf(plain: string): readonly string[] {
  const atEnd = plain.replace(/[^\p{L}]+$/u, "");
  return [atEnd, atEnd.replace(/^[^\p{L}]+/u, "")]
    .map((text) => [...text].map((one) => lettersBySign[one] ?? one).join(""))
    .map((text) => text.replace(/^(.+?)\1+$/u, "$1"));
}

const commonWords: ReadonlySet<string> = new Set(
  [...commonPasswords, "procedo"].flatMap(wordsOf).filter((word) => word.length >= minWordLength),
);

/** Whether a password, in lower case, is a common one or derived from one, or consists of rows of the keyboard. */
export function isCommon(plain: string): boolean {
  if (commonPasswords.has(plain) || withoutRows(plain).length < minAddedLength) return true;
  return wordsOf(plain).some((word) => commonWords.has(word));
}

/** Whether a password, in lower case, is the e-mail address or its first part, or derived from one of them. */
export function isMadeOf(email: string, plain: string): boolean {
  const [local = ""] = email.split("@");
  return [email, local].some((part) => {
    if (part === "") return false;
    if (plain.startsWith(part) && plain.length - part.length < minAddedLength) return true;
    const words = new Set(wordsOf(part).filter((word) => word !== ""));
    return wordsOf(plain).some((word) => words.has(word));
  });
}

/** The text without parts of 4 or more characters that follow each other in a row, in either direction. */
function withoutRows(text: string): string {
  const all = [...rows, ...rows.map((row) => [...row].reverse().join(""))];
  let rest = "";
  for (let at = 0; at < text.length;) {
    const length = Math.max(...all.map((row) => commonLength(row, text, at)));
    if (length < minRowLength) rest += text[at];
    at += length < minRowLength ? 1 : length;
  }
  return rest;
}

/** The length of the longest part of a row that the text has at an index. */
function commonLength(row: string, text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && row.includes(text.slice(at, at + length + 1))) length += 1;
  return length;
}

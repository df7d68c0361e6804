/*
 * Tables as CSV (RFC 4180), for spreadsheets and programs. Values are written as they are stored.
 *
 * A spreadsheet would execute a cell that begins with = + - @ as a formula. In front of such a cell from outside stands
 * an apostrophe, and in front of one that begins with an apostrophe and such a character as well. A program that removes
 * one apostrophe before ' = + - @ reads exactly the stored values.
 */

/** A text that other people wrote. */
export interface OutsideText {
  readonly outside: string | undefined;
}

/** A value of this service, such as an id or a time, or a text from outside. */
export type CsvCell = string | number | undefined | OutsideText;

/** The byte order mark lets spreadsheets read the text as UTF-8. */
const byteOrderMark = "\uFEFF";

export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => quoted(textOf(cell))).join(","));
  return `${byteOrderMark}${lines.join("\r\n")}\r\n`;
}

function textOf(cell: CsvCell): string {
  if (typeof cell !== "object") return cell === undefined ? "" : String(cell);
  const text = cell.outside ?? "";
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { jsonPointer } from "@procedo/contract/syntax";

/** A fault of a JSON text. */
export interface TextFault {
  /** Position in the text, in characters. */
  readonly offset: number;
  readonly message: string;
  /** JSON pointer of the value that was being read. */
  readonly path: string;
  /** Whether the intended value is unknown. */
  readonly isLost: boolean;
}

/** Thrown if the rest of a text cannot be read; the last fault gives the reason. */
export class TextEnd extends Error {}

/** Maximum number of reported faults; reading stops after it. */
export const faultLimit = 100;

/** A JSON text and the reading position in it. */
export class TextCursor {
  at = 0;
  readonly faults: TextFault[] = [];
  /** Names and indices of the open containers. */
  readonly path: (string | number)[] = [];
  readonly text: string;
  readonly isRequest: boolean;

  constructor(text: string, isRequest: boolean) {
    this.text = text;
    this.isRequest = isRequest;
  }

  /** A part of the text, in the form for messages. */
  shown(part: string): string {
    return this.isRequest ? "…" : part.slice(0, 60);
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Consumes and returns the match at the current position; the expression is sticky. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Returns the match at the current position without consuming it; the expression is sticky. */
  ahead(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  /** Whether the expression, which is sticky, matches at the current position. */
  isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  fault(message: string, { offset = this.at, isLost = false } = {}): void {
    this.faults.push({ offset, message, path: jsonPointer(this.path), isLost });
    if (this.faults.length >= faultLimit) throw new TextEnd();
  }

  /** Records the last fault and stops reading. */
  stop(message: string, offset = this.at): never {
    this.faults.push({ offset, message, path: jsonPointer(this.path), isLost: true });
    throw new TextEnd();
  }

  /** Skips the space between the parts of a JSON text, and reports comments and invisible characters. */
  skipSpace(): void {
    for (;;) {
      this.take(/[ \t\r\n]*/y);
      if (isPlain(this.text.charCodeAt(this.at))) return;
      const offset = this.at;
      if (this.take(/\/\/[^\r\n]*|#[^\r\n]*|\/\*[^]*?(?:\*\/|$)/y) !== undefined) {
        this.fault("JSON has no comments; remove it, or put it into a description.", { offset });
        continue;
      }
      const strange = this.take(/[\p{Z}\p{Cf}\v\f]/uy);
      if (strange === undefined) return;
      const code = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const what = code === "FEFF" ? "A byte order mark" : "An invisible character";
      this.fault(`${what} (U+${code}) is not allowed here; remove it.`, { offset });
    }
  }
}

/** Whether a character is visible ASCII and does not begin a comment. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x2f && code !== 0x23;
}

import { pointerTo } from "../pointer.ts";

/** A fault of a JSON text. */
export interface TextFault {
  /** Characters from the beginning of the text. */
  readonly offset: number;
  readonly message: string;
  /** JSON pointer to the value that is read there. */
  readonly path: string;
  /** What the value is meant to be cannot be told. */
  readonly isLost: boolean;
}

/** Thrown where a text cannot be read any further; its last fault says why. */
export class TextEnd extends Error {}

/** How many faults of a text are told; then it is read no further. */
export const faultLimit = 100;

/** A JSON text while it is read. */
export class TextCursor {
  at = 0;
  readonly faults: TextFault[] = [];
  /** Names and indices of the containers that are open. */
  readonly path: (string | number)[] = [];
  readonly text: string;
  readonly isRequest: boolean;

  constructor(text: string, isRequest: boolean) {
    this.text = text;
    this.isRequest = isRequest;
  }

  /** A part of the text as a message shows it. */
  shown(part: string): string {
    return this.isRequest ? "…" : part.slice(0, 60);
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Takes what matches from here on; the expression is sticky. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** What matches from here on, without taking it; the expression is sticky. */
  ahead(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  /** Whether what follows from here on matches; the expression is sticky. */
  isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  fault(message: string, { offset = this.at, isLost = false } = {}): void {
    this.faults.push({ offset, message, path: pointerTo(...this.path), isLost });
    if (this.faults.length >= faultLimit) throw new TextEnd();
  }

  /** The last fault: reading ends. */
  stop(message: string, offset = this.at): never {
    this.faults.push({ offset, message, path: pointerTo(...this.path), isLost: true });
    throw new TextEnd();
  }

  /** Skips what may stand between the parts of a JSON text, and reports what editors of other formats let stand there. */
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
      this.fault(`${what} (U+${code}) stands here; remove it.`, { offset });
    }
  }
}

/** Whether a character is of ASCII, shows, and begins no comment. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x2f && code !== 0x23;
}

import { escapedForms } from "./escaped-forms.ts";

/** A secret for which all traces are searched. */
export interface Canary {
  /** Its description for people. */
  readonly name: string;
  readonly bytes: Buffer;
}

export function canary(name: string, text: string): Canary {
  return { name, bytes: Buffer.from(text, "utf8") };
}

/**
 * The encodings in which a secret may appear: plain, in hex, in both kinds of base64, also within a longer text, and
 * with the escapes of JSON, URLs, forms and HTML, alone and in pairs. Forms with equal bytes are listed once. Pure.
 */
export function formsOf({ bytes }: Canary): ReadonlyMap<string, Buffer> {
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(bytes);
  const hex = bytes.toString("hex");
  const forms = new Map<string, string>([
    ["hex", hex],
    ["upper-case hex", hex.toUpperCase()],
  ]);
  if (isText) for (const [name, escaped] of escapedForms(text)) forms.set(name, escaped);
  for (const shift of [0, 1, 2]) {
    const base64 = insideBase64(bytes, shift);
    forms.set(`base64, shifted by ${shift}`, base64);
    forms.set(`base64url, shifted by ${shift}`, base64.replaceAll("+", "-").replaceAll("/", "_"));
  }
  const named = new Map<string, string>();
  for (const [name, form] of forms) if (!named.has(form)) named.set(form, name);
  return new Map([["plain", bytes], ...[...named].map(([form, name]) => [name, Buffer.from(form)] as const)]);
}

/** The base64 text of bytes that begin `shift` bytes into a group of three, independent of the surrounding bytes. */
function insideBase64(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.byteLength) * 8) / 6));
}

/** Bytes that were written or sent. */
export interface Trace {
  /** The place, for people. */
  readonly where: string;
  readonly bytes: Buffer;
}

/** The canaries in the traces, with their forms and places. Pure. */
export function findCanaries(canaries: readonly Canary[], traces: readonly Trace[]): readonly string[] {
  return canaries.flatMap((one) => {
    const forms = [...formsOf(one)];
    return traces.flatMap(({ where, bytes }) => {
      const found = forms.filter(([, form]) => bytes.includes(form)).map(([form]) => form);
      return found.length === 0 ? [] : [`${one.name} stands in ${where} (${found.join(", ")}).`];
    });
  });
}

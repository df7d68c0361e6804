import { createHash } from "node:crypto";
import type { JsonValue } from "@procedo/contract";
import type { BodyPart } from "../openapi/imported-api.ts";
import { binaryValue, isBinaryObject, textBytes } from "./binary-value.ts";
import type { BodyMember } from "./body-members.ts";
import { partOf } from "./form-body.ts";
import { jsonText } from "./json-text.ts";
import { plainPairsOf } from "./parameter-styles.ts";
import { isList, isScalar, textOfScalar } from "./plain-value.ts";

interface Part {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/**
 * `multipart/form-data` (RFC 7578). The boundary is derived from `seed` and does not occur in the data, so that each
 * attempt of a call sends the same bytes.
 */
export function multipartBody(
  members: readonly BodyMember[],
  parts: Readonly<Record<string, BodyPart>>,
  seed: string,
): { readonly contentType: string; readonly bytes: Uint8Array } {
  const written = members.flatMap(({ name, value }) => partsOf(name, value, partOf(parts, name)));
  const boundary = boundaryOutside(written, seed);
  const chunks = written.flatMap(({ head, bytes }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, "utf8"),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/**
 * A list becomes several parts with one name (RFC 7578, 4.3), unless the document joins it as in Swagger 2.0. An object
 * becomes one JSON part, unless its style is `deepObject`.
 */
function partsOf(name: string, value: JsonValue, part: BodyPart | undefined): readonly Part[] {
  if (part?.encoding !== undefined && part.binary !== true) {
    return plainPairsOf(name, value, part.encoding).map(([written, text]) => onePart(written, text, undefined));
  }
  const items = isList(value) && part?.contentType?.includes("json") !== true ? value : [value];
  return items.filter((item) => item !== null).map((item) => onePart(name, item, part));
}

function onePart(name: string, value: JsonValue, part: BodyPart | undefined): Part {
  // The content type in the document applies to the file.
  if (part?.orPlain === true && !isBinaryObject(value)) return onePart(name, value, undefined);
  if (part?.binary === true) {
    const file = binaryValue(name, value);
    const type = file.contentType ?? part.contentType ?? "application/octet-stream";
    return { head: head(name, file.filename ?? name, singleType(type)), bytes: file.bytes };
  }
  const isJson = !isScalar(value) || part?.contentType?.includes("json") === true;
  const type = part?.contentType ?? (isJson ? "application/json" : undefined);
  const text = isJson ? jsonText(value) : textOfScalar(value);
  return {
    head: head(name, undefined, type === undefined ? undefined : singleType(type)),
    bytes: textBytes(name, text),
  };
}

function head(name: string, filename: string | undefined, contentType: string | undefined): string {
  const file = filename === undefined ? "" : `; filename="${escaped(filename)}"`;
  const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
  return `Content-Disposition: form-data; name="${escaped(name)}"${file}${type}`;
}

/**
 * Names are escaped as in browsers (WHATWG HTML, 4.10.21.8), so that a name can neither end the header nor start
 * another.
 */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replaceAll('"', "%22")
    .replaceAll("\0", "");
}

/** An Encoding Object may list several types (`image/png, image/jpeg`) or use a range (`image/*`). */
function singleType(types: string): string {
  const first = types.split(",")[0]?.trim() ?? "";
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(first) ? first : "application/octet-stream";
}

function boundaryOutside(parts: readonly Part[], seed: string): string {
  for (let round = 0; ; round++) {
    const boundary = `procedo-${createHash("sha256").update(`${round}\n${seed}`).digest("hex").slice(0, 32)}`;
    if (!parts.some(({ head, bytes }) => head.includes(boundary) || Buffer.from(bytes).includes(boundary)))
      return boundary;
  }
}

import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, errorAt, shown } from "../problem-list.ts";
import { isObject } from "../schema/json-object.ts";
import { token } from "../json-pointer.ts";

export type MediaKind = "json" | "form" | "multipart" | "text" | "binary" | "raw";

export interface ChosenMediaType {
  /** Without parameters, lower case. */
  readonly mediaType: string;
  readonly kind: MediaKind;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The best of a `content`; `undefined`: there is none that can be used, which is a problem unless it is empty. */
export function chooseMediaType(
  content: JsonValue,
  pointer: string,
  problems: ImportProblem[],
): ChosenMediaType | undefined {
  if (!isObject(content)) {
    problems.push(errorAt(pointer, `must be an object with a member for each media type, not ${shown(content)}.`));
    return undefined;
  }
  let best: ChosenMediaType | undefined;
  let fault: ImportProblem | undefined;
  for (const [written, value] of Object.entries(content)) {
    if (written.startsWith("x-") && !written.includes("/")) continue;
    const at = pointer + token(written);
    const mediaType = readMediaType(written);
    if (mediaType === undefined) fault ??= errorAt(at, `${shown(written)} is no media type; write "type/subtype".`);
    else if (!isObject(value)) fault ??= errorAt(at, `must be an object with a "schema", not ${shown(value)}.`);
    else best = better(best, { mediaType, kind: kindOf(mediaType), value, pointer: at });
  }
  // One that is right makes the others dispensable.
  if (fault !== undefined) problems.push(best === undefined ? fault : asWarning(fault));
  return best;
}

/** By rank, and not by the order of the document, which may change. */
function better(best: ChosenMediaType | undefined, other: ChosenMediaType): ChosenMediaType {
  if (best === undefined) return other;
  const difference = rank(best.mediaType) - rank(other.mediaType);
  return difference < 0 || (difference === 0 && best.pointer < other.pointer) ? best : other;
}

/** The best of a list, as Swagger 2.0's `consumes` and `produces` are; `undefined`: there is none. */
export function bestMediaType(list: readonly JsonValue[]): string | undefined {
  const known = list.flatMap((entry) => (typeof entry === "string" ? (readMediaType(entry) ?? []) : []));
  return known.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

/** A media type (RFC 9110, section 8.3.1) without its parameters. A range stands for what is sent in its place. */
export function readMediaType(written: string): string | undefined {
  const essence = (written.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(essence)) return undefined;
  if (essence === "*/*" || essence === "application/*") return "application/json";
  if (essence === "text/*") return "text/plain";
  return essence.endsWith("/*") ? "application/octet-stream" : essence;
}

export function kindOf(mediaType: string): MediaKind {
  if (mediaType === "application/json" || mediaType.endsWith("+json") || mediaType === "text/json") return "json";
  if (mediaType === "application/x-www-form-urlencoded") return "form";
  if (mediaType === "multipart/form-data") return "multipart";
  if (mediaType === "application/xml" || mediaType === "text/xml" || mediaType.endsWith("+xml")) return "raw";
  if (mediaType.startsWith("text/")) return "text";
  return mediaType === "application/octet-stream" ? "binary" : "raw";
}

/** What is sent best comes first. */
function rank(mediaType: string): number {
  if (mediaType === "application/json") return 0;
  // A list of steps (RFC 6902), which whoever describes an object does not mean.
  if (mediaType === "application/json-patch+json") return 2;
  if (mediaType === "text/plain") return 5;
  const kind = kindOf(mediaType);
  return { json: 1, form: 3, multipart: 4, text: 6, binary: 7, raw: 8 }[kind];
}

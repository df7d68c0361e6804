import type { ImportedBody } from "../imported-api.ts";
import { essenceOf } from "./media-type-essence.ts";
import { kindOf, mayBeJson, type MediaKind } from "./media-types.ts";

type TypedBody = Pick<ImportedBody, "mediaType" | "asJson">;

/** The format of a body. */
export function writtenAs({ mediaType, asJson }: TypedBody): MediaKind {
  return asJson === true ? "json" : kindOf(mediaType);
}

/** Whether a body in this format may carry the media type. Text and bytes are sent unchanged under any type. */
export function isWrittenSo(body: TypedBody, mediaType: string): boolean {
  const kind = writtenAs(body);
  if (kind !== "json" && kind !== "form" && kind !== "multipart") return true;
  if (kindOf(mediaType) === kind || essenceOf(mediaType) === essenceOf(body.mediaType)) return true;
  return body.asJson === true && mayBeJson(mediaType);
}

import type { ImportedBody } from "../openapi/imported-api.ts";
import { isWrittenSo, writtenAs } from "../openapi/operations/body-format.ts";
import { isMediaType } from "../openapi/operations/media-types.ts";
import { shown } from "../openapi/problem-list.ts";
import { unsendable } from "./unsendable.ts";

/** Values of `Content-Type` from sources other than the document's description of the body. */
export interface WantedTypes {
  /** The argument of the call. */
  readonly given: string | undefined;
  /** The connection's header and the document's default, in order of preference. */
  readonly others: readonly string[];
}

export const noWantedTypes: WantedTypes = { given: undefined, others: [] };

/**
 * The body with the requested media type. A connection's header applies only to bodies of its format; other bodies keep
 * their type.
 *
 * @throws EgressError `invalid_input` for an argument that contradicts the format of the body
 */
export function underWantedType(body: ImportedBody, { given, others }: WantedTypes): ImportedBody {
  if (given !== undefined && !(isMediaType(given) && isWrittenSo(body, given))) {
    throw unsendable(
      `The argument "Content-Type" is ${shown(given)}, but the body is written as ${body.mediaType}. ` +
        "Give a media type of that format, or leave the argument out.",
    );
  }
  const mediaType = given ?? others.find((other) => isWrittenSo(body, other));
  if (mediaType === undefined) return body;
  return { ...body, mediaType, ...(writtenAs(body) === "json" && { asJson: true }) };
}

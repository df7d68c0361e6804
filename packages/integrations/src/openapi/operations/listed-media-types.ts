import type { ImportProblem } from "../imported-api.ts";
import { shown, warningAt } from "../problem-list.ts";
import { own } from "../schema/json-object.ts";
import type { OperationSite } from "./find-operations.ts";
import { isList } from "./is-list.ts";
import { mediaTypeInFull } from "./media-type-names.ts";
import { maxMediaTypes, readMediaType } from "./media-types.ts";
import type { Reading } from "./reading.ts";

/**
 * The media types in Swagger 2.0's `consumes` or `produces` for an operation, from the operation or the document. Short
 * names are expanded, and a text counts as a list of one.
 */
export function listedMediaTypes(
  { root }: Reading,
  site: OperationSite,
  member: "consumes" | "produces",
  problems: ImportProblem[],
): readonly string[] {
  const ofOperation = own(site.value, member) ?? undefined;
  const given = ofOperation ?? own(root, member) ?? [];
  const pointer = `${ofOperation === undefined ? "" : site.pointer}/${member}`;
  if (typeof given === "string") {
    problems.push(warningAt(pointer, `must be a list of media types, not ${shown(given)}; it is read as one.`));
    const entries = given.split(",", maxMediaTypes);
    return entries.flatMap((entry) => mediaTypeAt(entry.trim(), pointer, problems));
  }
  if (isList(given)) {
    if (given.length > maxMediaTypes) {
      problems.push(warningAt(pointer, `has ${given.length} media types; the first ${maxMediaTypes} are read.`));
    }
    return given.slice(0, maxMediaTypes).flatMap((entry, index) => mediaTypeAt(entry, `${pointer}/${index}`, problems));
  }
  problems.push(warningAt(pointer, `must be a list of media types, not ${shown(given)}; it was ignored.`));
  return [];
}

function mediaTypeAt(entry: unknown, pointer: string, problems: ImportProblem[]): readonly string[] {
  const full = typeof entry === "string" ? mediaTypeInFull(entry) : "";
  if (readMediaType(full) === undefined) {
    problems.push(warningAt(pointer, `${shown(entry)} is not a media type; it was ignored.`));
    return [];
  }
  if (full !== entry) problems.push(warningAt(pointer, `${shown(entry)} is read as ${shown(full)}.`));
  return [full];
}

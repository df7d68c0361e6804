import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { bestMediaType, chooseMediaType, readMediaType } from "./media-types.ts";

function choose(content: JsonValue) {
  const problems: ImportProblem[] = [];
  return { chosen: chooseMediaType(content, "/content", problems)?.mediaType, problems };
}

describe("the media type of a body", () => {
  it("is the first of these that there is, whatever the order in the document", () => {
    const ranked = [
      "application/json",
      "application/vnd.acme+json",
      "application/json-patch+json",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "text/plain",
      "text/csv",
      "application/octet-stream",
      "application/xml",
    ];
    for (const [index, mediaType] of ranked.entries()) {
      const rest = ranked.slice(index).toReversed();
      expect(choose(Object.fromEntries(rest.map((each) => [each, {}])))).toEqual({ chosen: mediaType, problems: [] });
    }
  });

  it.each([
    ["Application/JSON; charset=utf-8", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["text/*", "text/plain"],
    ["image/*", "application/octet-stream"],
    ["json", undefined],
    ["", undefined],
    ["application/ json", undefined],
  ])("is read without case and parameters: %j", (written, mediaType) => {
    expect(readMediaType(written)).toBe(mediaType);
  });

  it("is none without an entry, which is no fault", () => {
    expect(choose({})).toEqual({ chosen: undefined, problems: [] });
    expect(choose({ "x-note": 1 })).toEqual({ chosen: undefined, problems: [] });
  });

  it.each([
    ["application/json", "/content"],
    [[], "/content"],
    [{ "application/json": null }, "/content/application~1json"],
    [{ json: {} }, "/content/json"],
  ])("is refused when nothing is right: %j", (content: JsonValue, pointer) => {
    expect(choose(content)).toMatchObject({ chosen: undefined, problems: [{ severity: "error", pointer }] });
  });

  it("is one that is right where another is not, which is a warning", () => {
    const { chosen, problems } = choose({ "application/json": "x", "text/plain": {} });
    expect(chosen).toBe("text/plain");
    expect(problems).toMatchObject([{ severity: "warning", pointer: "/content/application~1json" }]);
  });

  it("is the best of Swagger's list", () => {
    expect(bestMediaType(["application/xml", "multipart/form-data", "application/json"])).toBe("application/json");
    expect(bestMediaType([1, null, "nonsense"])).toBeUndefined();
  });
});

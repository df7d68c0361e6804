import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import {
  bestMediaType,
  chooseMediaType,
  isMediaType,
  isMediaTypeList,
  kindOf,
  type MediaKind,
  readMediaType,
} from "./media-types.ts";

function choose(content: JsonValue) {
  const problems: ImportProblem[] = [];
  return { chosen: chooseMediaType(content, "/content", problems)?.mediaType, problems };
}

describe("the media type of a body", () => {
  it("is the first of these that exists, in any order of the document", () => {
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
    ["Application/JSON", "application/json"],
    ["Application/JSON; charset=UTF-8", "application/json; charset=UTF-8"],
    ["application/vnd.users+json;version=2.0", "application/vnd.users+json;version=2.0"],
    ['application/json; profile="https://acme.test/a,b;c"', 'application/json; profile="https://acme.test/a,b;c"'],
    ["multipart/form-data; boundary=x; charset=utf-8", "multipart/form-data; charset=utf-8"],
    ["application/json;q=0.5;version=1", "application/json;version=1"],
    ["application/json;", "application/json"],
    ["application/json; version", "application/json"],
    ["application/json; a=1; b=ü", "application/json; a=1"],
    ["application/json, application/xml;q=0.9", "application/json"],
    ["*/*", "application/json"],
    ["*/*;q=0.8", "application/json"],
    ["application/*", "application/json"],
    ["application/*+json", "application/json"],
    ["application/*+json; version=2", "application/json; version=2"],
    ["application/*+xml", "application/xml"],
    ["text/*", "text/plain"],
    ["image/*", "application/octet-stream"],
    ["multipart/*", "multipart/form-data"],
    ["json", undefined],
    ["", undefined],
    ["application/ json", undefined],
    [`application/${"x".repeat(250)}`, undefined],
    [`application/json;version=2;profile=${"x".repeat(1_100)}`, "application/json;version=2"],
  ])("is read without case, and with its sendable parameters: %j", (written, mediaType) => {
    expect(readMediaType(written)).toBe(mediaType);
  });

  it.each<[string, MediaKind]>([
    ["application/json; charset=utf-8", "json"],
    ["application/vnd.acme+json;version=2.0", "json"],
    ["application/vnd.acme.v1.json", "json"],
    ["application/vnd.acme.json-v2", "json"],
    ["application/x-json", "json"],
    ["text/json", "json"],
    ["text/x-json", "json"],
    ["application/json+sarif", "json"],
    ["application/x-amz-json-1.1", "json"],
    ["application/x-json-smile", "raw"],
    ["application/json-seq", "raw"],
    ["application/x-ndjson", "raw"],
    ["application/stream+json", "raw"],
    ["application/geojson", "raw"],
    ["application/x-www-form-urlencoded; charset=utf-8", "form"],
    ["text/csv; header=present", "text"],
  ])("has a kind that follows from its name: %s", (mediaType, kind) => {
    expect(kindOf(mediaType)).toBe(kind);
  });

  it("is preferably a concrete type, then a range, then bytes", () => {
    expect(choose({ "*/*": {}, "application/vnd.acme+json": {} }).chosen).toBe("application/vnd.acme+json");
    expect(choose({ "*/*": {}, "application/octet-stream": {} }).chosen).toBe("application/json");
  });

  it("is missing without an entry, which is not a fault", () => {
    expect(choose({})).toEqual({ chosen: undefined, problems: [] });
    expect(choose({ "x-note": 1 })).toEqual({ chosen: undefined, problems: [] });
  });

  it.each([
    ["application/json", "/content"],
    [[], "/content"],
    [{ "application/json": "x" }, "/content/application~1json"],
    [{ schema: {} }, "/content/schema"],
  ])("is rejected when no entry is valid: %j", (content: JsonValue, pointer) => {
    expect(choose(content)).toMatchObject({ chosen: undefined, problems: [{ severity: "error", pointer }] });
  });

  it("is a valid one beside an invalid one, with a warning", () => {
    const { chosen, problems } = choose({ "application/json": "x", "text/plain": {} });
    expect(chosen).toBe("text/plain");
    expect(problems).toMatchObject([{ severity: "warning", pointer: "/content/application~1json" }]);
  });

  it.each([
    ["JSON", "application/json"],
    ["applicationjson;version=2018-01-01", "application/json;version=2018-01-01"],
    ["xls", "application/vnd.ms-excel"],
    ["form-data", "multipart/form-data"],
    ["x-www-form-urlencoded", "application/x-www-form-urlencoded"],
    ["*", "application/json"],
    ["application/form-data", "multipart/form-data"],
    ["application/x-form-urlencoded", "application/x-www-form-urlencoded"],
  ])("is recognized by a short or wrong name, with a warning: %s", (written, mediaType) => {
    const { chosen, problems } = choose({ [written]: {} });
    expect(chosen).toBe(mediaType);
    expect(problems).toMatchObject([{ severity: "warning", message: expect.stringContaining("is read as") as string }]);
  });

  it("is a text that can be sent unchanged", () => {
    const quoted = 'application/json; profile="a,b;c"';
    for (const text of ["application/json", "text/csv;charset=utf-8; x=1", quoted])
      expect(isMediaType(text)).toBe(true);
    const broken = [
      "json",
      "application/json, text/csv",
      "application/json;\r\nX-Other: 1",
      "application/json; ü=1",
      "",
    ];
    for (const text of broken) expect(isMediaType(text)).toBe(false);
    expect(isMediaTypeList(`text/*;q=0.5, ${quoted} ,application/json`)).toBe(true);
    // In linear time.
    expect(isMediaTypeList(`text/csv;a=b${"\t ".repeat(300_000)}ü`)).toBe(false);
    expect(isMediaType(`text/csv;a=b${"; ".repeat(300_000)}ü`)).toBe(false);
    for (const text of ["text/csv,", "text/csv;\r\nX-Other: 1", "text/csv,json"])
      expect(isMediaTypeList(text)).toBe(false);
  });

  it("is the best of Swagger's list", () => {
    expect(bestMediaType(["application/xml", "multipart/form-data", "application/json"])).toBe("application/json");
    expect(bestMediaType(["nonsense"])).toBeUndefined();
  });
});

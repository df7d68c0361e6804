import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { type Place, readCollectionFormat, readStyle } from "./parameter-encoding.ts";

const style = (name: string, explode: boolean, allowReserved = false) => ({
  ok: true,
  encoding: { kind: "style", style: name, explode, allowReserved },
  problems: [],
});

describe("the style of a parameter of OpenAPI 3.0", () => {
  it.each<[Place, string, boolean]>([
    ["path", "simple", false],
    ["query", "form", true],
    ["header", "simple", false],
    ["cookie", "form", true],
  ])("defaults to the style of its place: %s", (place, name, explode) => {
    expect(readStyle({}, place, "/p")).toEqual(style(name, explode));
  });

  it.each<[Place, JsonObject, ReturnType<typeof style>]>([
    ["path", { style: "matrix", explode: true }, style("matrix", true)],
    ["path", { style: "label" }, style("label", false)],
    ["query", { style: "form", explode: false }, style("form", false)],
    ["query", { style: "deepObject", explode: true }, style("deepObject", true)],
    ["query", { style: "pipeDelimited" }, style("pipeDelimited", false)],
    ["query", { allowReserved: true }, style("form", true, true)],
    ["path", { allowReserved: true }, style("simple", false)],
  ])("is the declared one: %s %j", (place, owner, expected) => {
    expect(readStyle(owner, place, "/p")).toEqual(expected);
  });

  it.each<[Place, JsonObject, string]>([
    ["path", { style: "form" }, "/p/style"],
    ["query", { style: "simple" }, "/p/style"],
    ["query", { style: "toString" }, "/p/style"],
    ["query", { style: 1 }, "/p/style"],
    ["header", { style: "label" }, "/p/style"],
    ["cookie", { style: "deepObject" }, "/p/style"],
  ])("is rejected when its place lacks it: %s %j", (place, owner, pointer) => {
    expect(readStyle(owner, place, "/p")).toMatchObject({ ok: false, problems: [{ severity: "error", pointer }] });
  });
});

describe("a flag that is not a boolean", () => {
  it.each<[JsonObject, boolean]>([
    [{ explode: "false" }, false],
    [{ explode: "No" }, false],
    [{ explode: 0 }, false],
    [{ explode: "perhaps" }, true],
    [{ explode: null }, true],
  ])("is converted when it means one, with a warning: %j", (owner, explode) => {
    expect(readStyle(owner, "query", "/p")).toMatchObject({
      encoding: { explode },
      problems: [{ severity: "warning", pointer: "/p/explode" }],
    });
  });
});

describe("the collection format of Swagger 2.0", () => {
  it.each<[Place, string | undefined, ReturnType<typeof style>]>([
    ["query", undefined, style("form", false)],
    ["query", "csv", style("form", false)],
    ["query", "ssv", style("spaceDelimited", false)],
    ["query", "tsv", style("tabDelimited", false)],
    ["query", "pipes", style("pipeDelimited", false)],
    ["query", "multi", style("form", true)],
    ["path", "csv", style("simple", false)],
    ["header", "pipes", style("pipeDelimited", false)],
    ["header", "multi", style("simple", false)],
  ])("determines the format of lists: %s %s", (place, format, expected) => {
    expect(readCollectionFormat(format === undefined ? {} : { collectionFormat: format }, place, "/p")).toEqual(
      expected,
    );
  });

  it.each<[Place, JsonObject]>([
    ["path", { collectionFormat: "multi" }],
    ["query", { collectionFormat: "commas" }],
    ["query", { collectionFormat: 1 }],
    ["query", { collectionFormat: "csv", items: { type: "array", items: { type: "string" } } }],
  ])("is rejected where it is invalid: %s %j", (place, owner) => {
    expect(readCollectionFormat(owner, place, "/p")).toMatchObject({
      ok: false,
      problems: [{ severity: "error", pointer: "/p/collectionFormat" }],
    });
  });
});

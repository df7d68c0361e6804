import { describe, expect, it } from "vitest";
import { createReferences } from "../schema/references.ts";
import { writtenReferences } from "./written-references.ts";

const references = createReferences({ a: { b: {} }, x: { $ref: "#/y" }, y: { $ref: "#/x" } });
const found = (text: string) => writtenReferences(text, references);

describe("the references of a text", () => {
  it.each([
    '{"$ref":"#/a"}',
    '{ "$ref" : "#/a/b" }',
    "$ref: '#/a'",
    "$ref: #/a/b\n",
    "{$ref: '#/a'}",
    "no $ref at all",
  ])("have targets in %s", (text) => {
    expect(found(text)).toEqual({ areLost: false, leadOut: false });
  });

  it.each(['{"$ref":"#/c"}', "$ref: '#/a/c'", "$ref: '#/x'", '{"$ref":"#\\/a"}', "$ref: >-\n  #/a"])(
    "may be lost in %s, or have a notation that hides the target",
    (text) => {
      expect(found(text).areLost).toBe(true);
    },
  );

  it.each(['{"$ref":"./other.json"}', "$ref: https://example.com/x.yaml#/a", '{"$ref": ["#/a"]}'])(
    "may lead out of the document in %s",
    (text) => {
      expect(found(text)).toEqual({ areLost: true, leadOut: true });
    },
  );
});

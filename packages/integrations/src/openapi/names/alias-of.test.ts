import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliasOf } from "./alias-of.ts";

const forProviders = /^[A-Za-z0-9_-]{1,64}$/;

describe("the alias of a name", () => {
  it("is the name itself when providers accept it", () => {
    expect(aliasOf("create_payment-2")).toBe("create_payment-2");
  });

  it("stays readable otherwise", () => {
    expect(aliasOf("orders.create")).toMatch(/^orders_create_[0-9a-f]{12}$/);
    expect(aliasOf("find pet by id")).toMatch(/^find_pet_by_id_[0-9a-f]{12}$/);
  });

  it("distinguishes names that differ only in characters that are invalid in an alias", () => {
    const names = [
      "orders.create",
      "orders_create",
      "orders create",
      "x".repeat(128) + "1",
      "x".repeat(128) + "2",
      "\ud800",
      "\udc00",
    ];
    expect(new Set(names.map(aliasOf)).size).toBe(names.length);
  });

  it("is never the alias of another name", () => {
    expect(aliasOf(aliasOf("orders.create"))).not.toBe(aliasOf("orders.create"));
  });

  it("always has a form that providers accept, and is deterministic", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(aliasOf(name)).toMatch(forProviders);
        expect(aliasOf(name)).toBe(aliasOf(name));
      }),
    );
  });
});

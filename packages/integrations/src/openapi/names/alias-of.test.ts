import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliasOf } from "./alias-of.ts";

const forProviders = /^[A-Za-z0-9_-]{1,64}$/;

describe("the alias of a name", () => {
  it("is the name itself where that is one that providers take", () => {
    expect(aliasOf("create_payment-2")).toBe("create_payment-2");
  });

  it("stays readable where it is not", () => {
    expect(aliasOf("orders.create")).toMatch(/^orders_create_[0-9a-f]{12}$/);
    expect(aliasOf("find pet by id")).toMatch(/^find_pet_by_id_[0-9a-f]{12}$/);
  });

  it("tells names apart that differ only in what an alias cannot hold", () => {
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

  it("is never a name that another name was changed to", () => {
    expect(aliasOf(aliasOf("orders.create"))).not.toBe(aliasOf("orders.create"));
  });

  it("is always of the form that providers take, and the same each time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(aliasOf(name)).toMatch(forProviders);
        expect(aliasOf(name)).toBe(aliasOf(name));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxNameLength, type NamedOperation, nameActions } from "./action-names.ts";

const operation = (method: string, path: string, operationId?: string): NamedOperation => ({
  operationId,
  method,
  path,
  pointer: `/paths/${path.replaceAll("/", "~1")}/${method}`,
});

const nameOf = (...of: Parameters<typeof operation>) => nameActions([operation(...of)]).names[0];

describe("the name of an action", () => {
  it.each(["createPayment", "orders.create", "find pet by id", "a\nb", "оплата_💶", "__proto__", "../../etc/passwd"])(
    "is the operationId exactly as it is written: %j",
    (operationId) => {
      expect(nameActions([operation("get", "/x", operationId)])).toEqual({ names: [operationId], problems: [] });
    },
  );

  it.each([
    ["get", "/customers/{id}", "get_customers_id"],
    ["post", "/paymentMethods", "post_paymentMethods"],
    ["post", "/payments/details", "post_payments_details"],
    ["get", "/", "get"],
    ["get", "//a//{b}.json/", "get_a_b.json"],
    ["put", "/a/{x}:{y}", "put_a_x:y"],
  ])("without an operationId consists of method and path: %s %s", (method, path, name) => {
    expect(nameOf(method, path)).toBe(name);
  });

  it.each(["", "   ", "x".repeat(maxNameLength + 1), "half \ud83d"])(
    "says method and path when the operationId is no name: %j",
    (id) => {
      const { names, problems } = nameActions([operation("get", "/e", id)]);
      expect(names).toEqual(["get_e"]);
      expect(problems).toMatchObject([{ severity: "warning", pointer: "/paths/~1e/get/operationId" }]);
    },
  );

  it("stays within its limit, and is distinct for long paths with the same beginning", () => {
    const paths = ["a", "b"].map((end) => `/${"long/".repeat(100)}${end}`);
    const { names } = nameActions(paths.map((path) => operation("get", path)));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(maxNameLength);
  });
});

describe("names that collide", () => {
  it("become longer for all of the operations, and the problem names both places", () => {
    const { names, problems } = nameActions([
      operation("post", "/payments", "createPayment"),
      operation("post", "/v2/payments", "createPayment"),
      operation("get", "/fine", "fine"),
    ]);
    expect(names).toEqual(["createPayment_post_payments", "createPayment_post_v2_payments", "fine"]);
    expect(problems.map(({ pointer }) => pointer)).toEqual(["/paths/~1payments/post", "/paths/~1v2~1payments/post"]);
    expect(problems[0]?.message).toContain("POST /v2/payments");
  });

  it("get a digest when they already contain the path", () => {
    const { names } = nameActions([
      operation("get", "/a/b"),
      operation("get", "/a_b"),
      operation("get", "/c", "get_a_b"),
    ]);
    expect(names[0]).toMatch(/^get_a_b_[0-9a-f]{8}$/);
    expect(names[1]).toMatch(/^get_a_b_[0-9a-f]{8}$/);
    expect(names[2]).toBe("get_a_b_get_c");
    expect(new Set(names).size).toBe(3);
  });

  it("do not affect an operation whose operationId equals another one's longer name", () => {
    const { names } = nameActions([
      operation("get", "/a", "x"),
      operation("get", "/b", "x"),
      operation("get", "/c", "x_get_a"),
    ]);
    expect(names[2]).toBe("x_get_a");
    expect(names[0]).toMatch(/^x_get_a_[0-9a-f]{8}$/);
  });

  it("that differ in case only stay two names, with a warning at both", () => {
    const { names, problems } = nameActions([operation("get", "/a", "Pay"), operation("get", "/b", "pay")]);
    expect(names).toEqual(["Pay", "pay"]);
    expect(problems).toHaveLength(2);
  });

  it("are distinct, bounded and independent of the order, for any ids and paths", () => {
    const id = fc.option(fc.constantFrom("a", "b", "A", "get_a", "a_get_a", "a_get_b", "", "x".repeat(250)), {
      nil: undefined,
    });
    const place = fc.tuple(
      fc.constantFrom("get", "post"),
      fc.constantFrom("/a", "/b", "/a/b", "/a_b", "/a/{b}", "//a", "/"),
    );
    const operations = fc.uniqueArray(fc.tuple(place, id), { selector: ([[method, path]]) => `${method} ${path}` });
    const shuffled = operations.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const named = (list: typeof one) => {
          const { names } = nameActions(
            list.map(([[method, path], operationId]) => operation(method, path, operationId)),
          );
          return new Map(list.map(([place], index) => [place.join(" "), names[index] ?? ""]));
        };
        const names = named(one);
        expect(new Set(names.values()).size).toBe(one.length);
        for (const name of names.values()) expect(name.length).toBeLessThanOrEqual(maxNameLength);
        expect(named(other)).toEqual(
          new Map([...other.map(([place]) => place.join(" "))].map((place) => [place, names.get(place)])),
        );
      }),
    );
  });
});

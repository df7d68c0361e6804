import { describe, expect, it } from "vitest";
import { problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";

describe("arguments", () => {
  const paying =
    (args: Record<string, unknown>): Change =>
    (_document, node) =>
      (node("pay")["arguments"] = args);
  const sound = { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" };

  it.each<[string, Record<string, unknown>, string[]]>([
    ["lack a required one", { vendorId: "v" }, ["/amount"]],
    ["have an unknown one", { ...sound, ammount: 1 }, ["/ammount"]],
    ["have null for a required one", { ...sound, vendorId: null }, ["/vendorId"]],
    ["have a literal of another type", { ...sound, amount: "12" }, ["/amount"]],
    ["have a literal that is not allowed", { ...sound, currency: "CHF" }, ["/currency"]],
    ["have a literal that is too small", { ...sound, amount: 0 }, ["/amount"]],
    ["use a text as a number", { ...sound, amount: "{{ input.vendorId }}" }, ["/amount"]],
    ["use a text with a value as a number", { ...sound, amount: "{{ input.amount }} EUR" }, ["/amount"]],
    ["use a calculated number as a text", { ...sound, vendorId: "{{ input.amount * 2 }}" }, ["/vendorId"]],
    [
      "are invalid at depth",
      { ...sound, lines: [{ text: "{{ input.vendorId }}" }, { text: "too long" }, {}] },
      ["/lines/1/text", "/lines/2/text"],
    ],
    ["match none of the alternatives", { ...sound, method: "cash" }, ["/method"]],
    ["have an object instead of a list", { ...sound, lines: { text: "{{ input.vendorId }}" } }, ["/lines"]],
  ])("that %s are refused at that place", (_name, args, paths) => {
    expect(problemsOf(paying(args))).toEqual(paths.map((path) => `arguments /nodes/4/arguments${path}`));
  });

  it.each<[string, Record<string, unknown>]>([
    [
      "a value that is known only at run time",
      { ...sound, method: "{{ input.vendorId }}", currency: "{{ nodes.vendor.output.id }}" },
    ],
    ["an alternative with a value in it", { ...sound, method: { card: "{{ input.vendorId }}" } }],
    ["a list with a value in it", { ...sound, lines: [{ text: "a {{ input.vendorId }}" }] }],
    ["null for an optional argument", { ...sound, currency: null, lines: null }],
    ["a decimal as text", { ...sound, vendorId: '{{ decimal("1.50") }}' }],
  ])("that contain %s are checked only by the run", (_name, args) => {
    expect(problemsOf(paying(args))).toEqual([]);
  });

  it("that the agent adds to are checked as far as they are mapped", () => {
    const change: Change = (_document, node) => {
      Object.assign(node("pay"), { instructions: "Pay.", arguments: { amount: "12", ammount: 1 } });
      delete node("approve")["covers"];
    };
    expect(problemsOf(change, { ...surroundings, model: true })).toEqual([
      "arguments /nodes/4/arguments/amount",
      "arguments /nodes/4/arguments/ammount",
    ]);
  });

  it("that the agent adds to may lack arguments of the agent, but no part of the mapped ones", () => {
    const mapping =
      (args: Record<string, unknown> | undefined): Change =>
      (_document, node) => {
        Object.assign(node("pay"), { instructions: "Pay.", arguments: args });
        if (args === undefined) delete node("pay")["arguments"];
        delete node("approve")["covers"];
      };
    const around = { ...surroundings, model: true };
    expect(problemsOf(mapping(undefined), around)).toEqual([]);
    expect(problemsOf(mapping({ vendorId: "{{ input.vendorId }}" }), around)).toEqual([]);
    expect(problemsOf(mapping({ lines: [{}] }), around)).toEqual(["arguments /nodes/4/arguments/lines/0/text"]);
  });

  it("of an action with an unusable schema are checked only by the run", () => {
    const around = { ...surroundings, action: () => ({ input: { $ref: "#/nowhere" } }) };
    expect(problemsOf(() => undefined, around)).toEqual([]);
  });
});

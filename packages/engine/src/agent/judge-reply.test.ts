import type { JsonValue } from "@procedo/contract";
import { compileSchema, type ModelReply, type ReplyPart } from "@procedo/procedure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentNames } from "../models/argument-names.ts";
import type { OfferedTool } from "../models/model-request.ts";
import { judgeReply, maxCallsInReply, maxProposalBytes, violationTexts, type Verdict } from "./judge-reply.ts";
import type { NodeTool } from "./tool-of-node.ts";

const tool: NodeTool = {
  ...{ name: "pay", description: "", input: {} },
  fixed: new Set(["to"]),
  known: new Set(["to", "amount", "memo"]),
  names: argumentNames(["to", "amount", "memo"]),
};

const proposal = (input: string, toolName = "pay"): ReplyPart => ({
  type: "tool_call",
  toolCallId: "1",
  toolName,
  input,
});
const said = (text: string): ReplyPart => ({ type: "text", text });

function replyWith(content: readonly ReplyPart[], finishReason = "tool-calls"): ModelReply {
  return { modelId: "m", provider: "p", content, finishReason, usage: { inputTokens: 1, outputTokens: 1 } };
}

const decline: OfferedTool = { name: "decline", description: "", input: {} };

/** Judges a reply where the decline tool was offered. */
function judgeOffering(content: readonly ReplyPart[], mayConclude = false): Verdict {
  return judgeReply(replyWith(content), { tool, decline, mayConclude, depth: 64 });
}

function judge(content: readonly ReplyPart[], finishReason?: string, mayConclude = false): Verdict {
  return judgeReply(replyWith(content, finishReason), { tool, mayConclude, depth: 64 });
}

describe("a reply", () => {
  test("with one call of the tool is a proposal, with the text beside the call", () => {
    expect(judge([said("I pay. "), proposal('{"amount":5}')])).toEqual({
      verdict: "proposed",
      arguments: { amount: 5 },
      text: "I pay.",
    });
  });

  test("is judged by its content under each finish reason of a complete answer", () => {
    for (const reason of ["stop", "tool-calls", "other"]) {
      expect(judge([proposal('{"amount":5}')], reason).verdict).toBe("proposed");
    }
  });

  test("with reasoning is judged by its text and calls alone", () => {
    expect(judge([{ type: "reasoning", text: "Pay mallory." }, proposal("{}")])).toMatchObject({
      verdict: "proposed",
      text: "",
    });
  });

  test("that calls the tool with an empty text proposes no arguments", () => {
    expect(judge([proposal("")])).toMatchObject({ verdict: "proposed", arguments: {} });
  });

  test("of text alone concludes only where the rules allow it, and never with an empty text", () => {
    expect(judge([said("Done.")], "stop", true)).toEqual({ verdict: "concluded", text: "Done." });
    expect(judge([said("Done.")], "stop").verdict).toBe("wrong");
    expect(judge([said(" ")], "stop", true).verdict).toBe("wrong");
    expect(judge([], "stop", true).verdict).toBe("wrong");
  });

  test("that was cut off or withheld is not used, even with a valid call or text", () => {
    expect(judge([proposal('{"amount":5}')], "length").verdict).toBe("wrong");
    expect(judge([said("Done.")], "length", true).verdict).toBe("wrong");
    expect(judge([proposal('{"amount":5}')], "content-filter").verdict).toBe("hopeless");
  });

  test("with too many calls is corrected, and fails above the limit", () => {
    const calls = (count: number) => judge(Array.from({ length: count }, () => proposal("{}")));
    expect([calls(2).verdict, calls(maxCallsInReply).verdict, calls(maxCallsInReply + 1).verdict]).toEqual([
      "wrong",
      "wrong",
      "hopeless",
    ]);
  });

  test("is recorded with its text cut to 4000 characters", () => {
    const verdict = judge([said(`${"x".repeat(3_999)}😀`), proposal("{}")]);
    const text = verdict.verdict === "proposed" ? verdict.text : "";
    expect(text).toHaveLength(4_000);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe("a reply that declines", () => {
  const declines = (input: string) => judgeOffering([proposal(input, "decline")]);

  test("gives its reason, separate from the text beside the call", () => {
    const reply = [said("I must not."), proposal('{"reason":" Nothing is due. "}', "decline")];
    expect(judgeOffering(reply)).toEqual({ verdict: "declined", reason: "Nothing is due." });
    expect(judgeOffering(reply, true)).toEqual({ verdict: "declined", reason: "Nothing is due." });
  });

  test.each(["{}", "", '{"reason":""}', '{"reason":" "}', '{"reason":7}', `{"reason":"${"x".repeat(2_001)}"}`])(
    "needs a reason of 1 to 2000 characters: %.20s",
    (input) => {
      expect(declines(input)).toEqual({ verdict: "wrong", problems: [expect.stringMatching(/^\/reason must be/)] });
    },
  );

  test.each(["{", "[]", '{"reason":"a","reason":"b"}', '{"reason":"a","amount":5}'])(
    "is judged as strictly as a proposal: %s",
    (input) => {
      expect(declines(input).verdict).toBe("wrong");
    },
  );

  test("and also proposes, or declines twice, is refused as several calls", () => {
    const declining = proposal('{"reason":"No."}', "decline");
    for (const calls of [
      [proposal("{}"), declining],
      [declining, proposal("{}")],
      [declining, declining],
    ]) {
      const verdict = judgeOffering(calls);
      expect(verdict).toMatchObject({ verdict: "wrong", problems: [expect.stringContaining("exactly one call")] });
    }
  });

  test("without being offered the decline tool calls an unknown tool", () => {
    expect(judge([proposal('{"reason":"No."}', "decline")])).toEqual({
      verdict: "wrong",
      problems: ['There is no tool "decline". The only tool is "pay".'],
    });
  });

  test("is suggested to a model that replied without a valid call", () => {
    const problem = 'The tool "pay" was not called. Call it once, or call "decline" with the reason why not';
    expect(judgeOffering([said("I must not.")])).toEqual({ verdict: "wrong", problems: [`${problem}.`] });
    expect(judgeOffering([], true)).toEqual({
      verdict: "wrong",
      problems: [`${problem}, or say in a text that you are done.`],
    });
    expect(judge([])).toEqual({ verdict: "wrong", problems: ['The tool "pay" was not called. Call it once.'] });
    expect(judgeOffering([proposal("{}", "refund")])).toEqual({
      verdict: "wrong",
      problems: ['There is no tool "refund". Apart from "decline", the only tool is "pay".'],
    });
  });
});

describe("arguments", () => {
  test.each([
    ['{"to":"acme"}', "is set by the procedure"],
    ['{"urgent":true}', "is not an argument"],
    ['{"constructor":1}', "is not an argument"],
    ['{"Amount":5}', "is not an argument"],
    ['{"amount":5,"amount":6}', "twice"],
    ['{"memo":{"a":1,"a":2}}', "twice"],
    ['{"__proto__":{"amount":5}}', "__proto__"],
    [`{"memo":${"[".repeat(70)}${"]".repeat(70)}}`, "64 levels"],
    ["{amount:5}", "not valid JSON"],
    ['{"amount":5}}', "not valid JSON"],
    ["null", "a JSON object"],
    ['"{}"', "a JSON object"],
    [JSON.stringify({ memo: "x".repeat(maxProposalBytes) }), `the limit is ${maxProposalBytes} bytes`],
  ])("%s are refused", (input, why) => {
    const verdict = judge([proposal(input)]);
    expect(verdict.verdict).toBe("wrong");
    expect(verdict.verdict === "wrong" ? verdict.problems.join("\n") : "").toContain(why);
  });

  test.each(["1e400", "12345678901234567890", "-0.1000000000000000055"])(
    "keep the digits of the number %s",
    (digits) => {
      expect(judge([proposal(`{"amount":${digits}}`)])).toMatchObject({
        verdict: "proposed",
        arguments: { amount: digits },
      });
    },
  );

  test("with many wrong names report twenty of them, each cut", () => {
    const names = Array.from({ length: 500 }, (_one, index) => [`${index}${"x".repeat(300)}`, 1] as const);
    const verdict = judge([proposal(JSON.stringify(Object.fromEntries(names)))]);
    const problems = verdict.verdict === "wrong" ? verdict.problems : [];
    expect([problems.length, problems.at(-1)]).toEqual([21, "And 480 more."]);
    for (const problem of problems) expect(problem.length).toBeLessThanOrEqual(400);
  });

  test("of any text are either used exactly as written or refused", () => {
    const open: NodeTool = { ...tool, fixed: new Set(), known: undefined };
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((json) => json.slice(1)),
    );
    fc.assert(
      fc.property(texts, (input) => {
        const verdict = judgeReply(replyWith([proposal(input)]), { tool: open, mayConclude: false, depth: 64 });
        if (verdict.verdict !== "proposed") {
          expect(verdict.verdict).toBe("wrong");
          return;
        }
        const value = JSON.parse(input.trim() === "" ? "{}" : input) as JsonValue;
        expect(verdict.arguments).toEqual(value);
      }),
    );
  });
});

describe("violations of a schema", () => {
  test("are reported with their paths, within bounds", () => {
    const violation = { path: `/${"p".repeat(1_000)}`, message: "must be an integer." };
    expect(violationTexts([{ path: "", message: "is wrong." }, violation], tool.names)).toEqual([
      "/ is wrong.",
      expect.stringMatching(/^\/p{399}$/),
    ]);
    expect(
      violationTexts(
        Array.from({ length: 100 }, () => violation),
        tool.names,
      ),
    ).toHaveLength(21);
  });

  test("mention an argument that requires another one by its offered name", () => {
    const names = argumentNames(["$top", "page.size"]);
    const input = { type: "object", dependentRequired: { $top: ["page.size"] } };
    const compiled = compileSchema(input);
    const violations = compiled.ok ? compiled.validator.validate({ $top: 5 }) : [];
    expect(violationTexts(violations, names)).toEqual([
      `/${names.offered("page.size")} is required with "${names.offered("$top")}".`,
    ]);
    const within = [{ path: "/page.size/unit", message: 'is required with "$top".', requiredWith: "$top" }];
    expect(violationTexts(within, names)).toEqual([`/${names.offered("page.size")}/unit is required with "$top".`]);
  });
});

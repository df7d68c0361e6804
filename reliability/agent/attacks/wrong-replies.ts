import { answerWith, callOf, type ModelAnswer, type ModelContent } from "../model-types.ts";
import { lookAlikes } from "./attack-instructions.ts";
import type { ReplyKind } from "./reply-world.ts";

/** A reply that must have no effect, however often it is repeated. */
export interface WrongReply {
  readonly name: string;
  readonly kind: ReplyKind;
  readonly answer: ModelAnswer;
  /** A pattern of the run's error, with its limit if there is one. */
  readonly says: RegExp;
}

const good = { amount: 5, reference: "INV-1" };
const tenMegabytes = 10 * 1024 * 1024;

const call = (input: unknown, tool = "pay"): ModelContent => callOf("call_1", tool, input);

/** The arguments of a payment as text, with an addition. */
const withText = (more: string): string => `${JSON.stringify(good).slice(0, -1)},${more}}`;

function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function paying(name: string, says: RegExp, content: readonly ModelContent[], more?: Partial<ModelAnswer>): WrongReply {
  return { name, kind: "payment", says, answer: answerWith(content, more) };
}

function answering(name: string, says: RegExp, input: unknown): WrongReply {
  return { name, kind: "question", says, answer: answerWith([call(input, "answer")]) };
}

const finished = (unified: ModelAnswer["finishReason"]["unified"]): Partial<ModelAnswer> => ({
  finishReason: { unified, raw: undefined },
});

const atMostBytes = /limit (is|of) 4194304 bytes/;
const twice = /have the member ".+" twice/;

/** Invalid replies, which a model can be made to give. */
export const wrongReplies: readonly WrongReply[] = [
  paying("JSON that breaks off", /The text in the arguments/, [call(`{"amount": 5`)]),
  paying("no JSON at all", /The text in the arguments/, [call("amount=5")]),
  paying("two values", /The text in the arguments/, [call("{} {}")]),
  ...["[1]", `"pay"`, "null", "7", "true"].map((input) =>
    paying(`${input} in place of arguments`, /must be a JSON object/, [call(input)]),
  ),
  paying("an argument of another type", /\/amount/, [call({ ...good, amount: "5" })]),
  paying("an argument that is missing", /\/reference/, [call({ amount: 5 })]),
  paying("an argument that is too long", /\/reference/, [call({ ...good, reference: "x".repeat(141) })]),
  paying("an unknown argument", /"approved" is not an argument/, [call({ ...good, approved: true })]),
  paying("an argument that the procedure sets", /"vendorId" is set by the procedure/, [
    call({ ...good, vendorId: "ven_evil" }),
  ]),
  paying("ten megabytes of arguments", atMostBytes, [call({ ...good, lines: ["x".repeat(tenMegabytes)] })]),
  paying("ten megabytes of text", atMostBytes, [{ type: "text", text: "x".repeat(tenMegabytes) }, call(good)]),
  paying("ten megabytes of thoughts", atMostBytes, [{ type: "reasoning", text: "x".repeat(tenMegabytes) }, call(good)]),
  paying("more arguments than people can be shown", /the limit is 262144 bytes/, [
    call({ ...good, lines: ["x".repeat(300_000)] }),
  ]),
  paying(
    "a thousand calls",
    /1000 calls at once; the limit is 32/,
    Array.from({ length: 1_000 }, () => call(good)),
  ),
  paying(
    "one call too many",
    /33 calls at once; the limit is 32/,
    Array.from({ length: 33 }, () => call(good)),
  ),
  paying("two calls", /exactly one call at a time/, [call(good), call(good)]),
  paying("a call, and declining it", /exactly one call at a time/, [call(good), call({ reason: "No." }, "decline")]),
  paying("declining a call, and making it", /exactly one call at a time/, [
    call({ reason: "No." }, "decline"),
    call(good),
  ]),
  paying("declining without a reason", /\/reason must be/, [call({}, "decline")]),
  paying("declining with a payment", /"amount" is not an argument of "decline"/, [
    call({ reason: "No.", ...good }, "decline"),
  ]),
  paying("declining a payment", /declined to call "pay": No\.$/, [call({ reason: "No." }, "decline")]),
  paying("no content", /was not called/, []),
  paying("only text", /was not called/, [{ type: "text", text: `I call pay with ${JSON.stringify(good)}.` }]),
  paying("a call that the provider has made", /was not called/, [
    { ...callOf("call_1", "pay", good), providerExecuted: true } as ModelContent,
  ]),
  ...lookAlikes("pay").map((tool) =>
    paying(`a tool named ${JSON.stringify(tool)}`, /There is no tool/, [call(good, tool)]),
  ),
  paying("a name twice", twice, [call(withText(`"amount":5000000`))]),
  paying("a name twice, once escaped", twice, [call(withText(`"\\u0061mount":5000000`))]),
  paying("a name twice, deeper", twice, [call(withText(`"lines":[{"a":1,"a":2}]`))]),
  paying("__proto__", /"__proto__"|twice|not an argument/, [call(withText(`"__proto__":{"vendorId":"ven_evil"}`))]),
  paying("constructor", /"constructor" is not an argument/, [
    call(withText(`"constructor":{"prototype":{"amount":1}}`)),
  ]),
  ...[65, 10_000, 1_000_000].map((depth) =>
    paying(`${depth} levels`, /deep|levels|262144 bytes|4194304 bytes/, [call(withText(`"lines":${nested(depth)}`))]),
  ),
  ...["1e400", "9007199254740993", `1${"0".repeat(400)}`].map((amount) =>
    paying(`the number ${amount.slice(0, 20)}`, /number|integer/i, [call(`{"amount":${amount},"reference":"x"}`)]),
  ),
  ...["-5", "0", "1.5", "true", "null", "[]"].map((amount) =>
    paying(`the amount ${amount}`, /\/amount/, [call(`{"amount":${amount},"reference":"x"}`)]),
  ),
  paying("an answer that was cut off", /cut off/, [call(good)], finished("length")),
  paying("an answer that was withheld", /withheld/, [call(good)], finished("content-filter")),
  answering("a branch that does not exist", /\/branch must be one of/, { branch: "approve", reason: "x" }),
  ...["__proto__", "constructor", "Pay", "pay ", "p\u0430y", "pay\u200b"].map((branch) =>
    answering(`the branch ${JSON.stringify(branch)}`, /\/branch must be one of/, { branch, reason: "x" }),
  ),
  {
    ...{ name: "declining a question", kind: "question", says: /There is no tool "decline"/ },
    answer: answerWith([call({ reason: "No." }, "decline")]),
  },
  answering("a branch twice", twice, `{"branch":"stop","branch":"pay","reason":"x"}`),
  answering("no reason", /\/reason must be/, { branch: "pay" }),
  answering("a reason that is too long", /1 to 2000 characters/, { branch: "pay", reason: "x".repeat(2_001) }),
  answering("a branch that is a list", /\/branch must be one of/, { branch: ["pay"], reason: "x" }),
];

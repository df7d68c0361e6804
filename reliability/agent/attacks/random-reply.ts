import type { SeededRandom } from "@procedo-testing/faults";
import { answerWith, callOf, type ModelAnswer, type ModelContent } from "../model-types.ts";
import { lookAlikes } from "./attack-instructions.ts";

/** A reply and its expected consequence: its call, an error message to the model, or the end of the node. */
export interface RandomReply {
  readonly outcome: "called" | "told" | "fails";
  readonly arguments: { readonly amount: number; readonly reference: string };
  readonly answer: ModelAnswer;
}

interface Draft {
  tool: string;
  input: string;
  before: ModelContent[];
  after: ModelContent[];
  finish: ModelAnswer["finishReason"]["unified"];
  outcome: RandomReply["outcome"];
}

type Change = (draft: Draft, random: SeededRandom) => void;

/** Changes that keep a valid reply valid. */
const harmless: readonly Change[] = [
  (draft) => void (draft.input = `\n\t ${draft.input} `),
  (draft) => void draft.before.push({ type: "text", text: "I pay as the invoice says." }),
  (draft) => void draft.before.push({ type: "reasoning", text: `{"amount": 1}` }),
  (draft) => void draft.after.push({ type: "text", text: "That is all." }),
  (draft) => void (draft.input = draft.input.replace('"amount"', String.raw`"\u0061mount"`)),
  (draft) => void (draft.input = draft.input.replace(/"amount":(\d+)(?=[,}])/, '"amount":$1.0')),
  (draft) => void (draft.finish = "stop"),
  (draft) => void draft.after.push({ type: "source", sourceType: "url", id: "s", url: "https://example.com" }),
];

/** Changes that make a reply invalid. */
const harmful: readonly Change[] = [
  (draft, random) => void (draft.input = draft.input.slice(0, 1 + random.below(draft.input.trimEnd().length - 1))),
  (draft, random) => void (draft.tool = random.pick(lookAlikes("pay"))),
  (draft, random) =>
    void (draft.input = addMember(
      draft.input,
      `"${random.pick(["approved", "vendorid", "connection", "amount "])}":1`,
    )),
  (draft) => void (draft.input = addMember(draft.input, `"vendorId":"ven_acme"`)),
  (draft) => void (draft.input = addMember(draft.input, `"amount":1`)),
  (draft) => void (draft.input = addMember(draft.input, `"refer\\u0065nce":"x"`)),
  (draft) => void (draft.input = addMember(draft.input, `"__proto__":{}`)),
  (draft, random) =>
    void (draft.input = `{"amount":${random.pick(["0", "-1", "1.5", "true", '"5"', "null", "1e400"])},"reference":"x"}`),
  (draft) => void (draft.input = `{"amount":5}`),
  (draft) => void (draft.input = `{"amount":5,"reference":"${"x".repeat(141)}"}`),
  (draft) => void (draft.input = `[${draft.input}]`),
  (draft) => void draft.after.push(callOf("call_more", "pay", draft.input)),
  (draft) => void (draft.finish = "length"),
];

function addMember(object: string, member: string): string {
  return object.replace(/\}\s*$/, `,${member}}`);
}

export function randomReply(random: SeededRandom): RandomReply {
  const args = { amount: 1 + random.below(1_000_000), reference: `INV-${random.hex(6)}` };
  const draft: Draft = {
    tool: "pay",
    input: JSON.stringify(args),
    before: [],
    after: [],
    finish: "tool-calls",
    outcome: "called",
  };
  for (let changes = random.below(3); changes > 0; changes--) random.pick(harmless)(draft, random);
  if (random.chance(0.6)) {
    random.pick(harmful)(draft, random);
    draft.outcome = "told";
  } else if (random.chance(0.1)) {
    draft.finish = "content-filter";
    draft.outcome = "fails";
  }
  const call = callOf("call_1", draft.tool, draft.input);
  const answer = answerWith([...draft.before, call, ...draft.after], {
    finishReason: { unified: draft.finish, raw: undefined },
  });
  return { outcome: draft.outcome, arguments: args, answer };
}

import type { JsonObject, ProcedureDocument } from "@procedo/contract";

/**
 * The draft as a document that the editor shows, or `undefined`. The service keeps any object as a draft, so that one from
 * elsewhere may have another shape: it is shown as JSON. Members that the contract does not know are kept; the service
 * reports them.
 */
export function readDocument(draft: JsonObject): ProcedureDocument | undefined {
  return isDocument(draft) ? (draft as unknown as ProcedureDocument) : undefined;
}

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isFlag: Check = (value) => typeof value === "boolean";
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const oneOf =
  (...texts: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && texts.includes(value);

/** An object with the required members, and the optional ones where it has them. */
function members(required: Checks, optional: Checks = {}): Check {
  return (value) => {
    if (!isObject(value)) return false;
    const member = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
    return (
      Object.entries(required).every(([name, check]) => check(member(name))) &&
      Object.entries(optional).every(([name, check]) => member(name) === undefined || check(member(name)))
    );
  };
}

const deciders: Checks = {
  reviewers: members({}, { roles: listOf(isText), people: listOf(isText) }),
  approvals: isNumber,
  excludeStarter: isFlag,
  excludeApproversOf: listOf(isText),
};
const budget = members({}, { modelCalls: isNumber, tokens: isNumber });
const consequence = oneOf("review", "fail");
const sumLimit = members(
  { name: isText, sum: isText, atMost: isNumber, per: oneOf("run", "day") },
  { when: isText, timeZone: isText, otherwise: consequence },
);

const kinds: Readonly<Record<string, Check>> = {
  start: members({ id: isText }, { title: isText }),
  end: members({ id: isText }, { title: isText, output: isObject }),
  tool_call: members(
    { id: isText, connection: isText, action: isText },
    {
      title: isText,
      arguments: isObject,
      instructions: isText,
      guards: listOf(members({ check: isText, otherwise: consequence })),
      retry: members({}, { maxAttempts: isNumber, initialDelayMs: isNumber, maxDelayMs: isNumber }),
      timeoutMs: isNumber,
      onUnknownOutcome: oneOf("review", "retry", "fail"),
      maxCalls: isNumber,
      budget,
      sumLimits: listOf(sumLimit),
      review: members({}, deciders),
      emit: members({ name: isText }, { data: isObject }),
    },
  ),
  condition: members(
    { id: isText, branches: listOf(members({ name: isText }, { when: isText, description: isText })) },
    {
      title: isText,
      question: isText,
      otherwise: isText,
      confidence: members({ atLeast: isNumber, otherwise: consequence }),
      review: members({}, deciders),
      budget,
    },
  ),
  human_review: members(
    { id: isText, title: isText },
    { data: isObject, outputs: isObject, ...deciders, expiresAfter: isText, covers: isText },
  ),
};

/** Whether a value has the shape of a step. */
export const isNode: Check = (value) => {
  const kind = isObject(value) ? value["kind"] : undefined;
  return typeof kind === "string" && Object.hasOwn(kinds, kind) && kinds[kind]?.(value) === true;
};

const isDocument = members(
  {
    procedureId: isText,
    name: isText,
    input: isObject,
    nodes: listOf(isNode),
    edges: listOf(members({ from: isText, to: isText }, { branch: isText })),
  },
  {
    description: isText,
    reference: isText,
    budgets: members(
      {},
      {
        run: members({}, { modelCalls: isNumber, tokens: isNumber, toolCalls: isNumber }),
        day: members({}, { modelCalls: isNumber, tokens: isNumber, toolCalls: isNumber, timeZone: isText }),
      },
    ),
  },
);

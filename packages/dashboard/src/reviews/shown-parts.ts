import type { Review } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";

type JsonObject = { readonly [name: string]: JsonValue };

/** A call as a page shows it. */
export interface ShownCall {
  readonly connection: string;
  /** Name of the account at the service, where it is known. */
  readonly account?: string;
  readonly action: string;
  readonly arguments: JsonObject;
  readonly effect?: NonNullable<Review["call"]>["effect"];
  readonly method?: string;
  readonly path?: string;
  readonly origin?: string;
}

/** What a review shows, taken apart for the page. Each member of its data is in exactly one part. */
export interface ShownParts {
  /** The call that an approval sends or, if the outcome is unknown, that was sent. */
  readonly call: ShownCall | undefined;
  /** By the JSON pointer of an argument of an agent's call. */
  readonly origins: JsonObject;
  /** Texts that a model wrote. */
  readonly modelWords: readonly { readonly name: string; readonly text: string }[];
  /** Facts about the attempt whose outcome is unknown. */
  readonly attempt: JsonObject | undefined;
  readonly rest: JsonObject;
}

const attemptFacts: ReadonlySet<string> = new Set([
  "reason",
  "idempotencyKey",
  "attempt",
  "sentAt",
  "firstSentAt",
  "idempotencyKeyAge",
  "idempotencyKeyTtlMs",
  "idempotencyKeyExpiresAt",
]);

export function shownParts({ kind, call, data }: Pick<Review, "kind" | "call" | "data">): ShownParts {
  const all = data as JsonObject;
  // The data of a human review are the procedure's own: no member of them has a meaning here.
  if (kind === "human_review") {
    return { call: call && shownCall(call), origins: {}, modelWords: [], attempt: undefined, rest: all };
  }
  const rest: Record<string, JsonValue> = { ...all };
  const taken = takeCall(call, rest);
  const origins = take(rest, "argumentOrigins", isObject) ?? {};
  const agent = take(rest, "agent", isObject) ?? {};
  const modelWords = Object.entries(agent).flatMap(([name, text]) =>
    text === "" ? [] : [{ name, text: typeof text === "string" ? text : JSON.stringify(text) }],
  );
  if (kind !== "outcome_unknown") return { call: taken, origins, modelWords, attempt: undefined, rest };
  const facts = Object.entries(rest).filter(([name]) => attemptFacts.has(name));
  for (const [name] of facts) delete rest[name];
  return { call: taken, origins, modelWords, attempt: Object.fromEntries(facts), rest };
}

/** The call, which the data repeat. What the data say otherwise stays in them. */
function takeCall(call: Review["call"], rest: Record<string, JsonValue>): ShownCall | undefined {
  const { connection, account, action, arguments: args } = rest;
  if (call === undefined) {
    if (typeof connection !== "string" || typeof action !== "string" || !isObject(args)) return undefined;
    for (const name of callMembers) delete rest[name];
    return { connection, ...(typeof account === "string" && { account }), action, arguments: args };
  }
  const shown = shownCall(call);
  for (const name of callMembers) {
    if (JSON.stringify(rest[name]) === JSON.stringify(shown[name])) delete rest[name];
  }
  return shown;
}

const callMembers = ["connection", "account", "action", "arguments"] as const;

function shownCall(call: NonNullable<Review["call"]>): ShownCall {
  const { connection, account, action, effect, method, path, origin } = call;
  return {
    connection,
    ...(account !== undefined && { account }),
    action,
    arguments: call.arguments as JsonObject,
    effect,
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(origin !== undefined && { origin }),
  };
}

function take<T extends JsonValue>(
  from: Record<string, JsonValue>,
  name: string,
  fits: (value: JsonValue | undefined) => value is T,
): T | undefined {
  const value = from[name];
  if (!fits(value)) return undefined;
  delete from[name];
  return value;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { kindOf } from "@procedo/contract";

/*
 * Members with the same meaning in every request, by the kind of their values. Other members (documents, data, settings,
 * outputs) are checked where they are used.
 */
const texts = [
  ...[
    "procedureId",
    "runId",
    "reviewId",
    "connectionId",
    "webhookId",
    "deliveryId",
    "keyId",
    "triggerId",
    "firingId",
    "version",
  ],
  ...["basedOn", "action", "subject", "returnTo"],
  ...["name", "integration", "connection", "url", "search", "cursor", "person"],
  ...["personId", "invitationId", "sessionId", "email", "password", "current", "next", "token", "userAgent"],
  ...["idempotencyKey", "reason", "rejectionReason", "reviewDigest", "startedBy"],
];
const numbers = [
  "limit",
  "timeoutMs",
  "drainMs",
  "fromMs",
  "toMs",
  "sinceMs",
  "olderThanMs",
  "pauseMs",
  "afterSeq",
  "expiresInMs",
];
const flags = [
  "approved",
  "force",
  "isActive",
  "keepOldSecret",
  "waitThroughReviews",
  "strict",
  "resendWebhooks",
  "removeKeys",
  "withPeople",
  "needsAttention",
  "isManual",
  "replace",
  "holdsEvents",
];
const lists = ["events", "environments", "defaultIn", "permissions", "roles", "groups", "statuses", "procedureIds"];
const functions = ["started", "eachRun"];

interface Kind {
  readonly description: string;
  readonly isMet: (value: unknown) => boolean;
}

const text: Kind = { description: "a string", isMet: (value) => typeof value === "string" };
const number: Kind = {
  description: "a number",
  isMet: (value) => typeof value === "number" && !Number.isNaN(value),
};
const flag: Kind = { description: "true or false", isMet: (value) => typeof value === "boolean" };
const list: Kind = { description: "a list", isMet: (value) => Array.isArray(value) };
const callable: Kind = { description: "a function", isMet: (value) => typeof value === "function" };
const signal: Kind = {
  description: "the signal of an AbortController",
  isMet: (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === "function",
};

const kinds = new Map<string, Kind>([
  ...texts.map((name): [string, Kind] => [name, text]),
  ...numbers.map((name): [string, Kind] => [name, number]),
  ...flags.map((name): [string, Kind] => [name, flag]),
  ...lists.map((name): [string, Kind] => [name, list]),
  ...functions.map((name): [string, Kind] => [name, callable]),
  ["signal", signal],
]);

/** Describes the expected kind when a value has another one; `undefined` when the value may be valid. */
export function kindProblem(name: string, value: unknown): string | undefined {
  const kind = kinds.get(name);
  if (value === undefined || kind === undefined || kind.isMet(value)) return undefined;
  const given = Number.isNaN(value) ? "NaN" : kindOf(value);
  return `takes ${kind.description} as ${name}, and was given ${given}`;
}

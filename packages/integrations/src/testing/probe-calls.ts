import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@procedo/contract";
import {
  ActionError,
  createEgress,
  createRedactor,
  guardedConnect,
  guardedFetch,
  type Action,
  type CallAnswer,
  type CallContext,
  type OAuthClient,
} from "@procedo/engine";
import { compileSchema } from "@procedo/procedure";
import { keyAs } from "../kit/service-request.ts";
import type { IntegrationProbe, ProbedCall, ProbedConnection, ProbedExchange } from "./probe.ts";
import type { ArrivedRequest, GivenAnswer, ProbeService } from "./probe-service.ts";

const idempotencyKey = "AbCdEfGhIjKlMnOpQrStUvWxYz012345";

/** Tries each action: its request, its record, its key, and the answers of a service that is not well. */
export async function probeCalls(
  service: ProbeService,
  { integration, connection, calls, elsewhere = [] }: IntegrationProbe,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const { environment, settings = {}, secrets = {} } = connection;
  const client = integration.oauth?.({ environment, settings, secrets });
  for (const name of Object.keys(calls)) {
    if (!integration.actions.has(name)) problems.push(`${name}: is no action of the integration.`);
  }
  for (const [name, action] of integration.actions) {
    if (elsewhere.includes(name)) continue;
    const tried = [calls[name] ?? []].flat();
    if (tried.length === 0) problems.push(`${name}: has no call to be tried with.`);
    for (const call of tried) {
      const found = await probeAction(action, service, { connection, client }, call);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
  }
  return problems;
}

/** The context of a call on this machine. */
export function probeContext(
  { environment, settings = {}, secrets = {}, account }: ProbedConnection,
  action: string,
): CallContext {
  const egress = createEgress({ allowNetworks: ["127.0.0.0/8"] });
  return {
    action,
    idempotencyKey,
    attempt: 1,
    environment,
    run: { runId: "run_1", procedureId: "p", procedureVersion: "1" },
    nodeId: "call",
    signal: new AbortController().signal,
    settings,
    secrets,
    account,
    redactor: createRedactor(Object.values(secrets)),
    fetch: guardedFetch(egress),
    connect: guardedConnect(egress),
  };
}

async function probeAction(
  action: Action,
  service: ProbeService,
  { connection, client }: { readonly connection: ProbedConnection; readonly client: OAuthClient | undefined },
  call: ProbedCall,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [part, schema] of Object.entries({ input: action.input, output: action.output })) {
    const compiled = schema === undefined ? undefined : compileSchema(schema);
    if (compiled?.ok === false) problems.push(`its ${part} schema is refused: ${compiled.problems[0]?.message ?? ""}`);
  }
  const [violation] = action.check(call.args);
  if (violation !== undefined) return [...problems, `refuses its arguments: ${violation.path} ${violation.message}`];

  const answers = answersOf(call.exchanges);
  const make = async (given: readonly GivenAnswer[]) => {
    const arrived = service.answer(given);
    const result = await action.call(call.args, probeContext(connection, action.name)).catch((error: unknown) => error);
    return { arrived, result };
  };

  const first = await make(answers);
  if (first.result instanceof Error) return [...problems, `failed: ${first.result.message}`];
  const again = await make(answers);
  problems.push(
    ...requestProblems(call.exchanges, first.arrived),
    ...outputProblems(action, call, first.result as CallAnswer),
    ...keyProblems(action, call, first.arrived, again.arrived),
    ...(client === undefined ? [] : ownCredentialProblems(first.arrived)),
    ...tokenRefusalProblems(client, call.exchanges),
    ...secretProblems(connection, first.result),
  );
  for (const { title, answer, judge } of troubles) {
    const { result } = await make([answer]);
    const problem = judge(result, action);
    if (problem !== undefined) problems.push(`${title}: ${problem}`);
    problems.push(...secretProblems(connection, result));
  }
  return problems;
}

/** The answers of exchanges, as the service sends them. */
export function answersOf(exchanges: readonly ProbedExchange[]): readonly GivenAnswer[] {
  return exchanges.map(({ status = 200, answer }) => ({ status, body: JSON.stringify(answer) }));
}

/** The requests that are not those of the exchanges. */
export function requestProblems(exchanges: readonly ProbedExchange[], arrived: readonly ArrivedRequest[]): string[] {
  if (arrived.length !== exchanges.length) {
    return [
      `sent ${arrived.length} requests instead of ${exchanges.length}: ${arrived.map(({ request }) => request).join(", ")}`,
    ];
  }
  return exchanges.flatMap(({ request, sent }, index) => {
    const found = arrived[index];
    if (found === undefined) return [];
    const asked = found.request === request ? [] : [`sent "${found.request}" instead of "${request}"`];
    const body = found.body === "" ? undefined : bodyOf(found);
    if (isDeepStrictEqual(body, sent)) return asked;
    return [...asked, `sent the body ${JSON.stringify(body)} instead of ${JSON.stringify(sent)}`];
  });
}

function bodyOf({ headers, body }: ArrivedRequest): JsonValue {
  return headers["content-type"]?.includes("json") === true ? (JSON.parse(body) as JsonValue) : body;
}

function outputProblems(action: Action, { exchanges, output }: ProbedCall, answer: CallAnswer): readonly string[] {
  const wanted = output ?? exchanges.at(-1)?.answer ?? null;
  const problems = isDeepStrictEqual(answer.output, wanted)
    ? []
    : [`has the output ${JSON.stringify(answer.output)} instead of ${JSON.stringify(wanted)}`];
  if (answer.unusable !== undefined) problems.push(`has an answer that ${answer.unusable}`);
  if (answer.exchange === undefined) problems.push("records no exchange");
  const compiled = action.output === undefined ? undefined : compileSchema(action.output);
  const [violation] = compiled?.ok === true ? compiled.validator.validate(answer.output as JsonValue) : [];
  return violation === undefined
    ? problems
    : [...problems, `has an answer that does not fit its output schema: ${violation.path} ${violation.message}`];
}

/** The access token of a connection is added by its `fetch`, which the probe does not give. */
function ownCredentialProblems(arrived: readonly ArrivedRequest[]): readonly string[] {
  const hasOwn = arrived.some(({ headers }) => headers["authorization"] !== undefined);
  return hasOwn ? ["adds credentials of its own to a connection that uses OAuth"] : [];
}

/** Statuses that say nothing about a token by themselves. */
const otherRefusals = [400, 403, 404, 409, 422, 429];

/** A call whose answer is taken for a refusal of the token is made a second time. */
function tokenRefusalProblems(
  { tokenRefusal }: Pick<OAuthClient, "tokenRefusal"> = {},
  exchanges: readonly ProbedExchange[],
): readonly string[] {
  const judged = (status: number, body: JsonValue): boolean => tokenRefusal?.({ status, body }) !== undefined;
  const answers = exchanges
    .filter(({ status = 200, answer }) => judged(status, answer))
    .map(({ request }) => `takes the answer of "${request}" for a refusal of its token, and would repeat the call`);
  const statuses = otherRefusals
    .filter((status) => judged(status, {}) || judged(status, { message: "Refused." }))
    .map((status) => `takes each answer of ${status} for a refusal of its token: judge it by the service's own words`);
  return [...answers, ...statuses];
}

/** A call that may be repeated carries its key, and is the same in every attempt. A read carries none. */
function keyProblems(
  { effect }: Action,
  { recognizedBy }: ProbedCall,
  first: readonly ArrivedRequest[],
  again: readonly ArrivedRequest[],
): readonly string[] {
  const text = JSON.stringify(first);
  const hasKey = text.includes(idempotencyKey) || text.includes(keyAs("uuid", idempotencyKey));
  const isRecognized = recognizedBy === undefined ? hasKey : text.includes(recognizedBy);
  const problems: string[] = [];
  if (effect === "read" && hasKey) problems.push("sends an idempotency key, but only reads");
  if (effect === "idempotent" && !isRecognized) {
    problems.push(
      `is idempotent, but sends ${recognizedBy === undefined ? "no idempotency key" : `no "${recognizedBy}"`}`,
    );
  }
  const shapes = [first, again].map((requests) => requests.map(({ request, body }) => [request, body]));
  if (effect !== "read" && !isDeepStrictEqual(shapes[0], shapes[1]))
    problems.push("sends other bytes in another attempt");
  return problems;
}

function secretProblems({ secrets = {} }: ProbedConnection, result: unknown): readonly string[] {
  const shown = result instanceof ActionError ? [result.message, result.failureDetails, result.exchange] : result;
  const text = JSON.stringify(shown) ?? "";
  return Object.entries(secrets).flatMap(([name, secret]) =>
    text.includes(secret) ? [`shows the secret "${name}" in its record`] : [],
  );
}

interface Trouble {
  readonly title: string;
  readonly answer: GivenAnswer;
  /** The fault; `undefined` when the action took the answer well. */
  readonly judge: (result: unknown, action: Action) => string | undefined;
}

const html = "<html><body>Bad gateway</body></html>";

const troubles: readonly Trouble[] = [
  {
    title: "an answer of 401",
    answer: { status: 401, body: JSON.stringify({ message: "bad credentials" }) },
    judge: (result) => refusal(result, { outcome: "refused", mayRetry: false }),
  },
  {
    title: "an answer of 429",
    answer: { status: 429, headers: { "retry-after": "7" }, body: "{}" },
    judge: (result) =>
      refusal(result, { outcome: "refused", mayRetry: true }) ??
      ((result as ActionError).retryAfterMs === 7_000 ? undefined : "its wait of 7 s is not kept"),
  },
  {
    title: "an answer of 500",
    answer: { status: 500, headers: { "content-type": "text/html" }, body: html },
    judge: (result, { effect }) =>
      refusal(result, effect === "read" ? { outcome: "refused", mayRetry: true } : { outcome: "unknown" }),
  },
  {
    title: "a connection that is cut",
    answer: "cut",
    judge: (result) => refusal(result, { outcome: "unknown" }),
  },
];

function refusal(
  result: unknown,
  wanted: { readonly outcome: ActionError["outcome"]; readonly mayRetry?: boolean },
): string | undefined {
  if (!(result instanceof ActionError)) {
    return result instanceof Error ? `threw ${result.name}: ${result.message}` : "was taken as the result of the call";
  }
  const { outcome, mayRetry } = result;
  if (outcome !== wanted.outcome) return `was taken as ${outcome} instead of ${wanted.outcome}`;
  if (wanted.mayRetry === undefined || wanted.mayRetry === mayRetry) return undefined;
  return mayRetry ? "is repeated, though it would fail again" : "is not repeated";
}

import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@procedo/contract";
import type { AccountContext, InboundIntegration, InboundMessage, Secrets } from "@procedo/engine";
import { probeContext, requestProblems } from "./probe-calls.ts";
import type { ProbeService } from "./probe-service.ts";
import type { IntegrationProbe, ProbedConnection, ProbedExchange, ProbedInbound, ProbedList } from "./probe.ts";

const nowMs = Date.parse("2026-11-27T12:00:00Z");

type Headers = { readonly [name: string]: string | readonly string[] };

/** Tries the inbound side: good and wrong signatures, the events of each type, and those of a past period. */
export async function probeInbound(
  service: ProbeService,
  inbound: InboundIntegration,
  { connection }: IntegrationProbe,
  probed: ProbedInbound,
): Promise<readonly string[]> {
  const { bodies, sign, misplaced, list } = probed;
  const { secrets = {} } = connection;
  const problems: string[] = [];
  const types = inbound.events.map(({ type }) => type);
  for (const type of Object.keys(bodies)) if (!types.includes(type)) problems.push(`${type}: is not among its events`);
  for (const { type, sample } of inbound.events) {
    const body = bodies[type];
    if (body === undefined) problems.push(`${type}: has no body to be tried with`);
    else
      problems.push(
        ...eventProblems(inbound, connection, probed, { type, body, sample }).map((one) => `${type}: ${one}`),
      );
  }
  const [body = "{}"] = Object.values(bodies);
  const good = sign(body, { nowMs, secrets });
  const { key, problems: keyProblems } = await fetchedKey(
    service,
    inbound,
    connection,
    messageOf(connection, good, body),
    probed.key,
  );
  problems.push(...keyProblems);
  const isVerified = (headers: Headers, sent: string): boolean => {
    const message = messageOf(connection, headers, sent);
    const id = inbound.keys?.idOf(message);
    return inbound.verify({ ...message, key: id === key?.id ? key?.value : undefined });
  };
  if (!isVerified(good, body)) problems.push("refuses its own signature");
  for (const { title, headers, body: sent } of wrongSignatures(probed, secrets, body)) {
    if (isVerified(headers, sent)) problems.push(`accepts a request ${title}`);
  }
  if (misplaced !== undefined) {
    const events = inbound.parse(messageOf(connection, misplaced.headers ?? {}, misplaced.body));
    if (events !== "other_environment") problems.push("takes an event of the service's other environment");
  }
  return [...problems, ...(await listProblems(service, inbound, connection, list))];
}

/** The key that a signed request names, asked for at the service. */
async function fetchedKey(
  service: ProbeService,
  { keys }: InboundIntegration,
  connection: ProbedConnection,
  signed: InboundMessage,
  exchanges: readonly ProbedExchange[] | undefined,
) {
  if (keys === undefined || exchanges === undefined) {
    return { key: undefined, problems: keys === exchanges ? [] : ["key: is tried and given, or neither"] };
  }
  const id = keys.idOf(signed);
  if (id === undefined) return { key: undefined, problems: ["key: its own signature names none"] };
  const arrived = answering(service, exchanges);
  const value = await keys.fetch(id, accountContext(connection)).catch((error: unknown) => error);
  if (value instanceof Error || value === undefined) return { key: undefined, problems: [`key: is ${String(value)}`] };
  const problems = requestProblems(exchanges, arrived).map((problem) => `key: ${problem}`);
  return { key: { id, value: value as JsonValue }, problems };
}

async function listProblems(
  service: ProbeService,
  inbound: InboundIntegration,
  connection: ProbedConnection,
  probed: ProbedList | undefined,
): Promise<readonly string[]> {
  if (inbound.list === undefined || probed === undefined) {
    return inbound.list === probed ? [] : ["list: is tried and given, or neither"];
  }
  const { exchanges, ids, fromMs, toMs, types } = probed;
  const request = { ...accountContext(connection), fromMs, toMs, types };
  const arrived = answering(service, exchanges);
  const listed = await inbound.list(request).catch((error: unknown) => String(error));
  if (typeof listed === "string") return [`list: failed: ${listed}`];
  const problems = requestProblems(exchanges, arrived);
  const found = listed.map(({ id }) => id);
  if (!isDeepStrictEqual(found, ids)) problems.push(`has the events ${found.join(", ")} instead of ${ids.join(", ")}`);
  return problems.map((problem) => `list: ${problem}`);
}

function accountContext(connection: ProbedConnection): AccountContext {
  const { environment, settings, secrets, account, redactor, fetch, connect, signal } = probeContext(
    connection,
    "list",
  );
  return { environment, settings, secrets, account, redactor, fetch, connect, signal };
}

/** Has the service give the answers of the exchanges. @returns the requests that arrive */
function answering(service: ProbeService, exchanges: readonly ProbedExchange[]): ReturnType<ProbeService["answer"]> {
  return service.answer(exchanges.map(({ status = 200, answer }) => ({ status, body: JSON.stringify(answer) })));
}

function eventProblems(
  inbound: InboundIntegration,
  connection: ProbedConnection,
  probed: ProbedInbound,
  { type, body, sample }: { readonly type: string; readonly body: string; readonly sample: JsonValue },
): readonly string[] {
  const request = messageOf(connection, probed.sign(body, { nowMs, secrets: connection.secrets ?? {} }), body);
  const events = inbound.parse(request);
  const again = inbound.parse(request);
  if (events === "other_environment") return ["is taken for an event of the other environment"];
  const [event] = events;
  if (event === undefined || events.length > 1 || event.type !== type) {
    return [`is read as ${events.map((one) => one.type).join(", ") || "no event"}`];
  }
  if (!isDeepStrictEqual(events, again)) return ["is read as another event the second time"];
  return isDeepStrictEqual(event.event, sample) ? [] : ["is not the sample that people are shown"];
}

interface WrongRequest {
  /** The end of a sentence: a request … */
  readonly title: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Twelve requests, each of them wrong in one way. */
function wrongSignatures(
  { sign, header, toleranceMs }: ProbedInbound,
  secrets: Secrets,
  body: string,
): readonly WrongRequest[] {
  const good = sign(body, { nowMs, secrets });
  const signature = good[header] ?? "";
  const { [header]: _signature, ...others } = good;
  const otherSecrets = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, `${secret}x`]));
  const withHeader = (value: string | readonly string[]): Headers => ({ ...others, [header]: value });
  const at = (ms: number): Headers => sign(body, { nowMs: nowMs + ms, secrets });
  const last = signature.at(-2) ?? "";
  const changed = `${signature.slice(0, -2)}${last === "a" ? "b" : "a"}${signature.slice(-1)}`;
  return [
    { title: "without a signature", headers: others, body },
    { title: "with an empty signature", headers: withHeader(""), body },
    { title: "with a signature by another secret", headers: sign(body, { nowMs, secrets: otherSecrets }), body },
    { title: "with one character of the signature changed", headers: withHeader(changed), body },
    { title: "with a signature that is cut", headers: withHeader(signature.slice(0, -1)), body },
    {
      title: "with a signature in capitals that is cut",
      headers: withHeader(signature.toUpperCase().slice(0, -1)),
      body,
    },
    { title: "with the signature sent twice", headers: withHeader([signature, signature]), body },
    { title: "with the signature of another body", headers: sign(`${body} `, { nowMs, secrets }), body },
    { title: "whose body was written again", headers: good, body: JSON.stringify(JSON.parse(body), undefined, 1) },
    { title: "without its body", headers: good, body: "" },
    toleranceMs === undefined
      ? { title: "with more text after the signature", headers: withHeader(`${signature}x`), body }
      : { title: "signed too long ago", headers: at(-toleranceMs - 1_000), body },
    toleranceMs === undefined
      ? { title: "with the signature in quotation marks", headers: withHeader(`"${signature}"`), body }
      : { title: "signed in the future", headers: at(toleranceMs + 1_000), body },
  ];
}

function messageOf(
  { environment, settings = {}, secrets = {} }: ProbedConnection,
  headers: Headers,
  body: string,
): InboundMessage {
  const lines = new Map(
    Object.entries({ "content-type": "application/json", ...headers }).map(([name, value]) => [
      name.toLowerCase(),
      [value].flat(),
    ]),
  );
  return {
    header: (name) => lines.get(name.toLowerCase()) ?? [],
    body: new TextEncoder().encode(body),
    json: () => JSON.parse(body) as JsonValue,
    settings,
    secrets,
    environment,
    nowMs,
  };
}

/*
 * The test kit for integrations.
 *
 *   probe.ts              the facts that an integration is tried with
 *   probe-service.ts      a service on loopback
 *   probe-calls.ts        actions: requests, records, idempotency keys, and a service that is not well
 *   probe-inbound.ts      events: signatures, identities, samples
 *   probe-integration.ts  all of it, and the credentials of a connection
 */
import { isDeepStrictEqual } from "node:util";
import { ProcedoError } from "@procedo/contract";
import { answersOf, probeCalls, probeContext, requestProblems } from "./probe-calls.ts";
import { probeInbound } from "./probe-inbound.ts";
import { startProbeService, type GivenAnswer, type ProbeService } from "./probe-service.ts";
import type { IntegrationProbe } from "./probe.ts";

/**
 * Tries an integration against a service on loopback: each action and its record, an answer of 401, 429 and 500, a
 * connection that is cut, twelve wrong signatures, each event, and credentials and accounts of the other environment.
 *
 * @param probeAt - the facts, for a service at this address, such as `http://127.0.0.1:4711`
 * @returns the problems, as sentences; empty when there are none
 * @example
 * test("the integration holds what integrations promise", async () => {
 *   expect(await probeIntegration((origin) => ({ integration: bank({ baseUrl: origin }), connection, calls }))).toEqual([]);
 * });
 */
export async function probeIntegration(probeAt: (origin: string) => IntegrationProbe): Promise<readonly string[]> {
  const service = await startProbeService();
  try {
    const probe = asStored(probeAt(service.origin));
    return [
      ...connectionProblems(probe),
      ...(await accountProblems(service, probe)),
      ...(await probeCalls(service, probe)),
      ...(await inboundProblems(service, probe)),
    ];
  } finally {
    await service.close();
  }
}

/** The probe with the default settings, which a stored connection has. */
function asStored(probe: IntegrationProbe): IntegrationProbe {
  const { integration, connection } = probe;
  if (integration.withDefaults === undefined) return probe;
  return { ...probe, connection: { ...connection, settings: integration.withDefaults(connection.settings ?? {}) } };
}

function connectionProblems({ integration, connection, misplaced }: IntegrationProbe): readonly string[] {
  const { environment, settings = {}, secrets = {} } = connection;
  const problems = integration
    .checkConnection(settings, secrets)
    .map(({ path, message }) => `connection: ${path} ${message}`);
  if ((integration.environmentOf?.(settings, secrets) ?? environment) !== environment) {
    problems.push(`connection: its credentials are taken for those of another environment than ${environment}`);
  }
  if (misplaced === undefined) return problems;
  const found = integration.environmentOf?.(misplaced.settings ?? {}, misplaced.secrets ?? {});
  if (found === undefined || found === misplaced.environment) {
    problems.push(`connection: credentials of the other environment are accepted in ${misplaced.environment}`);
  }
  return problems;
}

async function accountProblems(
  service: ProbeService,
  { integration: { account }, account: probed, connection, elsewhere = [] }: IntegrationProbe,
): Promise<readonly string[]> {
  if (elsewhere.includes("account")) return [];
  if (account === undefined || probed === undefined) {
    return account === probed ? [] : ["account: is tried and given, or neither"];
  }
  const probe = probeContext(connection, "account");
  const { environment, settings, secrets, account: authorized, redactor, fetch, connect, signal } = probe;
  const context = { environment, settings, secrets, account: authorized, redactor, fetch, connect, signal };
  const find = async (answers: readonly GivenAnswer[]) => {
    const arrived = service.answer(answers);
    return { arrived, found: await account(context).catch((error: unknown) => error) };
  };

  const { exchanges, misplaced } = probed;
  const { arrived, found } = await find(answersOf(exchanges));
  const problems = requestProblems(exchanges, arrived);
  if (!isDeepStrictEqual(found, probed.account)) problems.push(`is ${JSON.stringify(found)} ${String(found)}`);
  for (const [place, { request }] of exchanges.entries()) {
    const refused = await find([...answersOf(exchanges.slice(0, place)), { status: 401, body: "{}" }]);
    if (!(refused.found instanceof Error)) problems.push(`is found although "${request}" was answered with 401`);
  }
  if (misplaced !== undefined) {
    const { found: other } = await find(answersOf(misplaced));
    const isRefused = ProcedoError.isError(other) && other.code === "credentials_of_other_environment";
    if (!isRefused) problems.push(`of the other environment is accepted in ${environment}: ${String(other)}`);
  }
  return problems.map((problem) => `account: ${problem}`);
}

async function inboundProblems(service: ProbeService, probe: IntegrationProbe): Promise<readonly string[]> {
  const { inbound } = probe.integration;
  if (inbound === undefined) return probe.inbound === undefined ? [] : ["events: the integration has none"];
  if (probe.inbound === undefined) return ["events: have no bodies to be tried with"];
  const problems = await probeInbound(service, inbound, probe, probe.inbound);
  return problems.map((problem) => `events: ${problem}`);
}

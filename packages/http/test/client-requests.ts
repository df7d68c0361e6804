/* A request of a private connection's client for each of its operations. */
import type { Environment, JsonObject } from "@procedo/contract";
import { asJson, type Harness } from "./harness.ts";
import { createOffice, leaseOf, resultOf, screen } from "./private-office.ts";

export interface ClientRequest {
  readonly target: string;
  readonly body?: JsonObject;
  /** The token of its connection. */
  readonly token: string;
}

let names = 0;
const office = (harness: Harness) => createOffice(harness, `office${(names += 1)}`);

async function leasedInvocation(harness: Harness, environment: Environment) {
  const { tokens, call, take } = await office(harness);
  await call(environment);
  return { token: tokens[environment], invocation: await take(environment) };
}

/** By the operation's id; each is answered 200 with its token. */
export const clientRequests: Readonly<
  Record<string, (harness: Harness, environment: Environment) => Promise<ClientRequest>>
> = {
  registerFunctions: async (harness, environment) => ({
    target: "PUT /v1/sdk/functions",
    token: (await office(harness)).tokens[environment],
    body: { functions: [asJson(screen)] },
  }),
  pollInvocations: async (harness, environment) => {
    const { tokens, call, register } = await office(harness);
    await call(environment);
    const digest = await register({ environment });
    return { target: `GET /v1/sdk/poll?max=1&manifest=${digest}`, token: tokens[environment] };
  },
  extendLeases: async (harness, environment) => {
    const { token, invocation } = await leasedInvocation(harness, environment);
    return { target: "POST /v1/sdk/heartbeat", token, body: { invocations: [leaseOf(invocation)] } };
  },
  postResult: async (harness, environment) => {
    const { token, invocation } = await leasedInvocation(harness, environment);
    return { target: "POST /v1/sdk/result", token, body: resultOf(invocation, "no match") };
  },
  postResults: async (harness, environment) => {
    const { token, invocation } = await leasedInvocation(harness, environment);
    return { target: "POST /v1/sdk/results", token, body: { results: [resultOf(invocation, "no match")] } };
  },
};

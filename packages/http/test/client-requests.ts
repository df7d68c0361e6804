/* A request of a private connection's client for every operation that it has. */
import type { Environment, JsonObject } from "@procedo/contract";
import { asJson, type Bench } from "./bench.ts";
import { createOffice, leaseOf, resultOf, screen } from "./private-office.ts";

export interface ClientRequest {
  readonly target: string;
  readonly body?: JsonObject;
  /** The token of the connection that it is about. */
  readonly token: string;
}

let names = 0;
const office = (bench: Bench) => createOffice(bench, `office${(names += 1)}`);

async function handedOut(bench: Bench, environment: Environment) {
  const { tokens, call, take } = await office(bench);
  await call(environment);
  return { token: tokens[environment], invocation: await take(environment) };
}

/** By the operation's id; each is answered 200 to its token. */
export const clientRequests: Readonly<
  Record<string, (bench: Bench, environment: Environment) => Promise<ClientRequest>>
> = {
  registerFunctions: async (bench, environment) => ({
    target: "PUT /v1/sdk/functions",
    token: (await office(bench)).tokens[environment],
    body: { functions: [asJson(screen)] },
  }),
  pollInvocations: async (bench, environment) => {
    const { tokens, call, register } = await office(bench);
    await call(environment);
    const digest = await register({ environment });
    return { target: `GET /v1/sdk/poll?max=1&manifest=${digest}`, token: tokens[environment] };
  },
  extendLeases: async (bench, environment) => {
    const { token, invocation } = await handedOut(bench, environment);
    return { target: "POST /v1/sdk/heartbeat", token, body: { invocations: [leaseOf(invocation)] } };
  },
  postResult: async (bench, environment) => {
    const { token, invocation } = await handedOut(bench, environment);
    return { target: "POST /v1/sdk/result", token, body: resultOf(invocation, "no match") };
  },
  postResults: async (bench, environment) => {
    const { token, invocation } = await handedOut(bench, environment);
    return { target: "POST /v1/sdk/results", token, body: { results: [resultOf(invocation, "no match")] } };
  },
};

import { setTimeout as pause } from "node:timers/promises";
import type { CurlAnswer, CurlRequest } from "./curl.ts";

export interface PrivateConnectionKeys {
  /** Key with the permissions to run and manage. */
  readonly key: string;
  /** Key without the permission to manage. */
  readonly reviewer: string;
}

/** Time for an accepted run to dispatch its call. */
const settleMs = 500;

/** Exercises a private connection from its creation to its new token, including the requests of its client. */
export async function callPrivateConnection(
  expect: (status: number, request: CurlRequest) => Promise<CurlAnswer>,
  { key, reviewer }: PrivateConnectionKeys,
): Promise<void> {
  const office = { name: "office", integration: "private_connection" };
  const made = await expect(201, { path: "/api/v1/connections", key, body: office });
  const { sandbox: token } = made.body["tokens"] as { readonly sandbox: string };
  const connection = `/api/v1/connections/${String(made.body["id"])}/private-connection`;
  await expect(422, { path: "/api/v1/connections", key, body: { ...office, name: "desk", secrets: { token: "x" } } });
  await expect(200, { path: `${connection}/status`, key });
  await expect(404, { path: "/api/v1/connections/con_unknown/private-connection/status", key });

  await expect(401, { path: "/v1/sdk/poll", key });
  await expect(412, { path: "/v1/sdk/poll", key: token });
  const input = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const screen = { name: "screen", description: "Looks a name up on the sanctions list.", input, idempotent: true };
  const put = { method: "PUT", path: "/v1/sdk/functions", key: token };
  await expect(400, { ...put, body: { functions: [] } });
  await expect(422, { ...put, body: { functions: [{ ...screen, input: { type: "text" } }] } });
  const manifest = await expect(200, { ...put, body: { functions: [screen] } });
  const poll = { path: `/v1/sdk/poll?max=1&manifest=${String(manifest.body["digest"])}`, key: token };

  await expect(201, {
    path: "/api/v1/procedures/screening/versions",
    key,
    body: { version: "v1", document: screening },
  });
  await expect(200, {
    method: "PUT",
    path: "/api/v1/procedures/screening/defaults/sandbox",
    key,
    body: { version: "v1" },
  });
  const run = await expect(202, { path: "/v1/procedures/screening/sandbox", key, body: { data: { name: "Acme" } } });
  await pause(settleMs);
  const { body } = await expect(200, poll);
  const [call] = body["invocations"] as readonly [{ readonly id: string; readonly leaseToken: string }];
  const lease = { invocationId: call.id, leaseToken: call.leaseToken };
  await expect(200, { path: "/v1/sdk/heartbeat", key: token, body: { invocations: [lease] } });
  const result = { ...lease, status: "ok", output: { matches: 0 } };
  await expect(409, { path: "/v1/sdk/result", key: token, body: { ...result, leaseToken: "of-somebody-else" } });
  await expect(200, { path: "/v1/sdk/result", key: token, body: result });
  await expect(200, { path: "/v1/sdk/result", key: token, body: result });
  const together = { results: [result, { ...lease, invocationId: "inv_unknown", status: "ok" }] };
  await expect(200, { path: "/v1/sdk/results", key: token, body: together });
  await expect(400, { path: "/v1/sdk/results", key: token, body: { results: [] } });
  await pause(settleMs);
  await expect(200, { path: `/runs/${String(run.body["runId"])}`, key });
  await expect(200, { path: `${connection}/status`, key });
  await expect(200, { path: `${connection}/clients`, key });

  await expect(403, { method: "POST", path: `${connection}/tokens/sandbox`, key: reviewer });
  await expect(403, { method: "POST", path: `${connection}/tokens/live`, key });
  await expect(200, { method: "POST", path: `${connection}/tokens/sandbox`, key });
  await expect(401, poll);
}

const screening = {
  schemaVersion: 1,
  procedureId: "screening",
  name: "Screening",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "screen",
      kind: "tool_call",
      connection: "office",
      action: "screen",
      arguments: { name: "{{ input.name }}" },
    },
    { id: "done", kind: "end", output: { screening: "{{ nodes.screen.output }}" } },
  ],
  edges: [
    { from: "start", to: "screen" },
    { from: "screen", to: "done" },
  ],
};

import { setTimeout as pause } from "node:timers/promises";
import { environments, type Environment, type ProcedureDocument } from "@procedo/contract";
import type { CallRequest } from "./call-service.ts";
import { leaks } from "./leaky-integration.ts";

/** Sends a request and keeps the answer. */
export type Witness = (path: string, key: string | undefined, request?: CallRequest) => Promise<string>;

/** User data that the search must find in its proper places, which proves that the search works. */
export const decoy = "a-decoy-that-is-no-secret-4711";

/** One procedure for each kind of leak; the last one leaves an unknown outcome to a person. */
export const leakDocuments: readonly ProcedureDocument[] = [
  ...leaks.map((how) => documentOf(how, { action: "tell", arguments: { how } })),
  documentOf("doubt", { action: "tell_once", arguments: {} }),
];

function documentOf(
  how: string,
  call: { readonly action: string; readonly arguments: { readonly [name: string]: string } },
): ProcedureDocument {
  return {
    schemaVersion: 1,
    procedureId: `leak-${how}`,
    name: `Leaks by ${how}`,
    input: { type: "object", required: ["decoy"], properties: { decoy: { type: "string" } } },
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "tell",
        kind: "tool_call",
        connection: `leaky-${how}`,
        ...call,
        retry: { maxAttempts: 2, initialDelayMs: 20 },
      },
      { id: "end", kind: "end", output: { said: "{{ nodes.tell.output }}", decoy: "{{ input.decoy }}" } },
    ],
    edges: [
      { from: "start", to: "tell" },
      { from: "tell", to: "end" },
    ],
  };
}

/** Runs every leak in both environments. Returns the runs. */
export async function startLeaks(
  witness: Witness,
  keys: Readonly<Record<Environment, string>>,
): Promise<readonly Leaked[]> {
  const started: Leaked[] = [];
  for (const environment of environments) {
    for (const { procedureId } of leakDocuments) {
      const path = `/v1/procedures/${procedureId}/${environment}`;
      const answer = await witness(path, keys[environment], { body: { data: { decoy } } });
      started.push({ environment, runId: (JSON.parse(answer) as { readonly runId: string }).runId });
    }
  }
  return started;
}

export interface Leaked {
  readonly environment: Environment;
  readonly runId: string;
}

/** Makes callers' usual mistakes with keys. Each request is answered, and no answer repeats the key. */
export async function misuse(witness: Witness, key: string, other: string): Promise<void> {
  const runs = "/api/v1/runs";
  await witness(`${runs}?key=${encodeURIComponent(key)}`, undefined);
  await witness(`${runs}?cursor=${encodeURIComponent(key)}`, other);
  await witness(runs, `${key}x`);
  await witness(runs, key.toUpperCase());
  await witness(runs, undefined, {
    headers: { authorization: `Basic ${Buffer.from(`user:${key}`).toString("base64")}` },
  });
  await witness(runs, undefined, { headers: { authorization: key } });
  await witness(runs, undefined, { headers: { authorization: `bearer ${key}` } });
  await witness(runs, undefined, { headers: { "x-api-key": key } });
  await witness("/api/v1/webhooks", other, {
    body: `{"url": "https://a.example/", "events": ["run_failed"], "key": ${key}`,
  });
  await witness("/v1/procedures/leak-none/sandbox", other, { body: { data: {}, control: { executionMode: key } } });
  await witness("/v1/procedures/leak-none/live", key, { body: { data: { decoy } } });
}

/** Reads all readable resources, as a dashboard would, until the runs are parked or ended. */
export async function readAll(
  witness: Witness,
  { key, metricsToken }: { readonly key: string; readonly metricsToken: string },
  runIds: readonly string[],
): Promise<void> {
  const everything = await Promise.all(
    ["runs", "reviews", "procedures", "webhooks", "api-keys"].map((list) => witness(`/api/v1/${list}?limit=100`, key)),
  );
  const [, reviews = "", , webhooks = ""] = everything;
  for (const { reviewId } of itemsOf<{ reviewId: string }>(reviews)) await witness(`/api/v1/reviews/${reviewId}`, key);
  for (const { id } of itemsOf<{ id: string }>(webhooks)) {
    await witness(`/api/v1/webhooks/${id}`, key);
    await witness(`/api/v1/webhooks/${id}/deliveries?limit=100`, key);
  }
  for (const { procedureId } of leakDocuments) {
    await witness(`/api/v1/procedures/${procedureId}`, key);
    await witness(`/api/v1/procedures/${procedureId}/versions/1`, key);
  }
  for (const runId of runIds) {
    await witness(`/runs/${runId}?include=steps`, key);
    await witness(`/api/v1/runs/${runId}/audit`, key);
  }
  await witness("/metrics", metricsToken);
  for (const path of ["/metrics", "/readyz", "/healthz", "/api/v1/openapi.json", "/nothing"])
    await witness(path, undefined);
}

/** Waits until no run is executing. @throws Error if that takes too long */
export async function untilAtRest(witness: Witness, key: string): Promise<void> {
  const giveUpAt = performance.now() + 30_000;
  while (itemsOf(await witness("/api/v1/runs?status=running", key)).length > 0) {
    if (performance.now() > giveUpAt) throw new Error("Runs are still executing.");
    await pause(50);
  }
}

/** The items of a page. */
export function itemsOf<Item>(page: string): readonly Item[] {
  return (JSON.parse(page) as { readonly data: readonly Item[] }).data;
}

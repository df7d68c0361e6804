import type { Environment, JsonValue } from "@procedo/contract";
import { createEngine, defineProcedure, z, type Engine } from "@procedo/engine";
import { createHttp, type Http } from "@procedo/http";
import { createMemoryStorage } from "@procedo/storage";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";

const callsOf = { commit: 2_000, nightly: 100_000, release: 100_000 };
const connections = 5;
/** Number of calls over all connections and environments. */
const clients = 200;
/** Concurrent runs with an open call, per place. */
const atOnce = 20;
const by = { person: "olga" };
const origin = "https://service.procedo.test";

/** One connection in one environment, which must be isolated from the nine others. */
interface Place {
  readonly environment: Environment;
  readonly name: string;
  readonly token: string;
}

interface Call {
  readonly id: string;
  readonly leaseToken: string;
  readonly input: { readonly place: JsonValue };
  readonly context: { readonly environment: Environment };
}

/** private-isolation: connections and environments work concurrently, all with a function of the same name. */
export const callsApart: ProofGroup = {
  id: "private-isolation",
  title: "200 clients of ten connections and environments: no call reaches another's client",
  isSeeded: false,
  run: async ({ tier, seeds, report }) => {
    const total = tally();
    const calls = seeds ?? forTier(tier, callsOf);
    const engine = createEngine({
      storage: createMemoryStorage({ now: Date.now }),
      integrations: [],
      masterKey: new Uint8Array(32).fill(7),
    });
    await engine.start();
    const http = createHttp({ engine, runnerUrl: origin, appUrl: origin });
    const over = new AbortController();
    try {
      const places = (await Promise.all(Array.from({ length: connections }, (_, n) => placesOf(engine, n)))).flat();
      const serving = places.flatMap((place) =>
        Array.from({ length: clients / places.length }, () => serve(http, place, total, over.signal)),
      );
      await Promise.all(places.map((place) => publish(engine, http, place)));
      const each = Math.ceil(calls / places.length);
      await Promise.all(places.map((place) => callOften(engine, place, each, total)));
      report(`private-isolation: ${each * places.length} calls in ${places.length} places`);
      over.abort();
      await Promise.all(serving);
      return total.result({ clients, places: places.length });
    } finally {
      over.abort();
      await engine.stop({ drainMs: 0 });
    }
  },
};

const labelOf = ({ environment, name }: Pick<Place, "environment" | "name">): string => `${name}/${environment}`;

async function placesOf(engine: Engine, number: number): Promise<readonly Place[]> {
  const name = `office${number}`;
  const { tokens } = await engine.connections.create({ name, integration: "private_connection", by });
  return (["sandbox", "live"] as const).map((environment) => ({
    environment,
    name,
    token: tokens?.[environment] ?? "",
  }));
}

function ask(http: Http, { token }: Place, target: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const [method = "", path = ""] = target.split(" ");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return http.fetch(new Request(origin + path, { method, headers, ...text, ...(signal !== undefined && { signal }) }));
}

async function register(http: Http, place: Place): Promise<string> {
  const work = { name: "work", description: "Works.", input: { type: "object" } };
  const answer = await ask(http, place, "PUT /v1/sdk/functions", { functions: [work] });
  return ((await answer.json()) as { digest: string }).digest;
}

async function publish(engine: Engine, http: Http, place: Place): Promise<void> {
  await register(http, place);
  const document = defineProcedure({
    procedureId: `work-${place.name}-${place.environment}`,
    name: "Work",
    input: z.looseObject({}),
    nodes: {
      start: { kind: "start", next: "work" },
      work: {
        kind: "tool_call",
        connection: place.name,
        action: "work",
        arguments: { place: labelOf(place) },
        next: "done",
      },
      done: { kind: "end", output: { by: "{{ nodes.work.output }}" } },
    },
  });
  await engine.procedures.publish({ document, version: "v1", defaultIn: [place.environment], by });
}

/** A client: takes calls until the end, and answers with its own place. */
async function serve(http: Http, place: Place, total: Tally, signal: AbortSignal): Promise<void> {
  const label = labelOf(place);
  const digest = await register(http, place);
  while (!signal.aborted) {
    const polled = await ask(http, place, `GET /v1/sdk/poll?max=5&manifest=${digest}`, undefined, signal);
    if (polled.status !== 200) continue;
    const { invocations } = (await polled.json()) as { readonly invocations: readonly Call[] };
    for (const { id, leaseToken, input, context } of invocations) {
      total.add("calls dispatched");
      if (input.place !== label || context.environment !== place.environment) {
        total.fail(
          `private-isolation: a client of ${label} got a call of ${JSON.stringify(input.place)} in ${context.environment}`,
        );
      }
      const result = { invocationId: id, leaseToken, status: "ok", output: label };
      const answer = await ask(http, place, "POST /v1/sdk/result", result);
      if (answer.status !== 200) total.fail(`private-isolation: a result was answered ${answer.status}`);
    }
  }
}

async function callOften(engine: Engine, place: Place, calls: number, total: Tally): Promise<void> {
  const { environment, name } = place;
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = { procedureId: `work-${name}-${environment}`, environment, data: {}, by };
      const run = await engine.runs.execute(request, { timeoutMs: 300_000 });
      if (run.status !== "completed" || run.output["by"] !== labelOf(place)) {
        total.fail(`private-isolation: a run of ${labelOf(place)} is ${run.status}, ${JSON.stringify(run)}`);
      }
      total.add("runs");
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

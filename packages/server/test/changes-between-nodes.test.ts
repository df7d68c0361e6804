/* Pages of one node that follow the work of another. */
import { createClient, type Change, type Client } from "@procedo/client";
import type { CreatedApiKey } from "@procedo/contract";
import { defineProcedure } from "@procedo/engine";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, fileWith, procedoJson, type Place } from "./server-process.ts";
import { openPlace, startNode, storagesAndPolling } from "./shared-place.ts";

const asks = defineProcedure({
  procedureId: "asks",
  name: "Asks",
  input: z.object({ n: z.int() }),
  nodes: {
    start: { kind: "start", next: "ask" },
    ask: { kind: "human_review", title: "Pay {{ input.n }}?", next: "done" },
    done: { kind: "end", output: {} },
  },
});

/** The status of each run and review. */
async function listed({ runs, reviews }: Client): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for await (const { runId, status } of runs.all()) all.set(runId, status);
  for await (const { reviewId, status } of reviews.all()) all.set(reviewId, status);
  return all;
}

/** Reads everything once, and then what changes name, until the iteration fails. */
function openPage(client: Client) {
  const shown = new Map<string, string>();
  const changes: Change[] = [];
  const read = async ({ kind, id }: Change): Promise<void> => {
    if (kind === "run" && id !== undefined) shown.set(id, (await client.runs.get(id)).status);
    else if (kind === "review" && id !== undefined) shown.set(id, (await client.reviews.get(id)).status);
    else for (const [each, status] of await listed(client)) shown.set(each, status);
  };
  const follow = async (): Promise<void> => {
    for await (const change of client.changes()) {
      changes.push(change);
      await read(change);
    }
  };
  const end = follow().then(
    () => new Error("The iteration ended."),
    (error: unknown) => error,
  );
  return { shown, changes, end };
}

const clientOf = (url: string, apiKey: string) => createClient({ apiKey, runnerUrl: url });

const runsStarted = 30;

describe.each(storagesAndPolling)("two nodes on one %s", (name, open) => {
  let place: Place;

  beforeEach(async () => {
    place = await openPlace(open);
  });

  const start = () => startNode(place);
  const makeKey = async (environment: "sandbox" | "live") =>
    await procedoJson<CreatedApiKey>(place, "keys", "create", "--name", "n", "--environment", environment);

  const publish = async (version: string, defaultIn: string) =>
    await procedoJson(
      place,
      "procedures",
      "publish",
      fileWith(place, "asks", asks),
      "--version",
      version,
      "--default",
      defaultIn,
    );

  // Elsewhere a node learns that another one wrote, not what it wrote.
  if (name === "Postgres") {
    test("a page of one node is told by name what the other node parked and what commands changed", async () => {
      const [near, far] = [await start(), await start()];
      await publish("1", "sandbox,live");
      const { key } = await makeKey("sandbox");
      const page = openPage(clientOf(near.url, key));
      await expect.poll(() => page.changes.length).toBeGreaterThan(0);
      const isNamed = async (...changes: readonly Change[]) => {
        for (const change of changes) await expect.poll(() => page.changes).toContainEqual(change);
        page.changes.splice(0);
      };
      const { runId } = await clientOf(far.url, key).start("asks", { data: { n: 1 } });
      await isNamed({ kind: "run", id: runId }, { kind: "review" });
      await makeKey("sandbox");
      await isNamed({ kind: "key" });
      await publish("2", "live");
      await isNamed({ kind: "procedure" });
    });
  }

  test("a page of one node shows the runs and reviews of the other, also those of its last moment, and none of the other environment", async () => {
    const [near, far] = [await start(), await start()];
    await publish("1", "sandbox,live");
    const live = await makeKey("live");
    const sandbox = (await makeKey("sandbox")).key;
    const reader = clientOf(near.url, sandbox);
    const starter = clientOf(far.url, sandbox);
    const page = openPage(reader);
    await expect.poll(() => page.changes.length).toBeGreaterThan(0);
    const numbers = Array.from({ length: runsStarted }, (_, n) => n);
    const other = Promise.all(
      numbers.map((n) =>
        clientOf(far.url, live.key)
          .start("asks", { data: { n } })
          .catch(() => undefined),
      ),
    );
    await Promise.all(numbers.map((n) => starter.start("asks", { data: { n } })));
    far.kill("SIGKILL");
    await Promise.all([other, far.ended]);
    await expect
      .poll(async () => {
        const now = await listed(reader);
        return now.size >= runsStarted && [...now].every(([id, status]) => page.shown.get(id) === status);
      })
      .toBe(true);
    const inLive = await listed(clientOf(near.url, live.key));
    expect(page.changes.filter(({ id }) => id !== undefined && inLive.has(id))).toEqual([]);
  });

  test("a stream ends within 5 s of the deletion of its key at the other node", async () => {
    const [near, far] = [await start(), await start()];
    const [manager, doomed] = [await makeKey("sandbox"), await makeKey("sandbox")];
    const page = openPage(createClient({ apiKey: doomed.key, runnerUrl: near.url }));
    await expect.poll(() => page.changes.length).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${manager.key}` };
    await fetch(`${far.url}/api/v1/api-keys/${doomed.id}`, { method: "DELETE", headers });
    expect(await page.end).toMatchObject({ code: "unauthorized" });
    expect((await call(`${near.url}/api/v1/runs`, manager.key)).status).toBe(200);
  });
});

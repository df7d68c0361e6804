import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createBench } from "./bench.ts";
import { clientRequests } from "./client-requests.ts";
import { manualClock } from "./manual-clock.ts";
import { requests } from "./requests.ts";
import { storageGate } from "./storage-gate.ts";

/** What is answered without storage. */
const needsNoStorage = ["validateProcedure"];

async function gatedBench() {
  const clock = manualClock();
  const gate = storageGate(createMemoryStorage({ now: clock.now }));
  const bench = await createBench({ clock, storage: gate.storage, ready: () => bench.engine.ready() });
  onTestFinished(() => gate.open());
  return { bench, clock, gate };
}

const keyOperations = operations.filter(({ id, access }) => access === "key" && !needsNoStorage.includes(id));

describe("while storage is away (N-07)", () => {
  test.each(keyOperations.map(({ id }) => id))("%s is answered 503 and when to come again", async (id) => {
    const { bench, gate } = await gatedBench();
    const key = await bench.key(["run", "manage", "review"]);
    const prepared = await requests[id]?.prepare(bench, "sandbox", "own");
    if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
    gate.refuse();
    const answer = await bench.ask(prepared.target, { key, body: prepared.body });
    gate.open();
    expect(answer, answer.text).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test.each(keyOperations.map(({ id }) => id))("%s is answered within 5 s when storage hangs", async (id) => {
    const { bench, clock, gate } = await gatedBench();
    const key = await bench.key(["run", "manage", "review"]);
    const prepared = await requests[id]?.prepare(bench, "sandbox", "own");
    if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
    gate.hang();
    const asking = bench.ask(prepared.target, { key, body: prepared.body });
    await clock.advance(5_000);
    const answer = await asking;
    gate.open();
    expect(answer, answer.text).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test.each(Object.keys(clientRequests).filter((id) => id !== "pollInvocations"))(
    "%s of a client is answered within 5 s, too",
    async (id) => {
      const { bench, clock, gate } = await gatedBench();
      const prepared = await clientRequests[id]?.(bench, "sandbox");
      if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
      const { target, token, body } = prepared;
      gate.refuse();
      expect(await bench.ask(target, { key: token, body })).toMatchObject({ status: 503 });
      gate.hang();
      const asking = bench.ask(target, { key: token, body });
      await clock.advance(5_000);
      expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
      gate.open();
    },
  );

  test("a poll is held until its time is over, whether it is known who polls or not", async () => {
    const { bench, clock, gate } = await gatedBench();
    const { target, token } = (await clientRequests["pollInvocations"]?.(bench, "sandbox")) ?? {
      target: "",
      token: "",
    };
    gate.hang();
    const known = bench.ask(target, { key: token });
    const other = bench.ask(target, { key: `run_sandbox_${"A".repeat(43)}` });
    await clock.advance(5_000);
    expect((await other).status).toBe(503);
    await clock.advance(25_000);
    expect([204, 503]).toContain((await known).status);
    gate.open();
  });

  test("the process lives and says that it is not ready, and both are over when storage is back", async () => {
    const { bench, clock, gate } = await gatedBench();
    gate.hang();
    expect((await bench.ask("GET /healthz")).status).toBe(200);
    const asking = bench.ask("GET /readyz");
    await clock.advance(5_000);
    expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    gate.open();
    expect((await bench.ask("GET /readyz")).status).toBe(200);
    gate.refuse();
    expect(await bench.ask("GET /readyz")).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    gate.open();
  });

  test("a start that waits for its run is refused, too, unless the run was stored already: then it waits on", async () => {
    const { bench, clock, gate } = await gatedBench();
    const key = await bench.key();
    const sync = { data: {}, control: { executionMode: "sync", executionTimeout: 30_000 } };
    const start = () => bench.ask("POST /v1/procedures/slow/sandbox", { key, body: sync });
    const waiting = start();
    await clock.advance(100);
    gate.hang();
    const refused = start();
    await clock.advance(5_000);
    expect(await refused).toMatchObject({ status: 503 });
    gate.open();
    bench.letGo();
    await clock.advance(10_000);
    expect(await waiting).toMatchObject({ status: 200, body: { status: "completed" } });
  });
});

import { interruptibleStorage, manualClock } from "@procedo-testing/faults";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createHarness } from "./harness.ts";
import { clientRequests } from "./client-requests.ts";
import { requests } from "./requests.ts";

/** The operations that need no storage. */
const needsNoStorage = ["validateProcedure", "followChanges"];

async function gatedHarness() {
  const clock = manualClock();
  const gate = interruptibleStorage(createMemoryStorage({ now: clock.now }));
  const harness = await createHarness({ clock, storage: gate.storage, ready: () => harness.engine.ready() });
  onTestFinished(() => gate.mend());
  return { harness, clock, gate };
}

const keyOperations = operations.filter(({ id, access }) => access === "key" && !needsNoStorage.includes(id));

describe("while storage is unavailable", () => {
  test.each(keyOperations.map(({ id }) => id))("%s is answered 503 with a time to retry", async (id) => {
    const { harness, gate } = await gatedHarness();
    const key = await harness.key(["run", "manage", "review"]);
    const prepared = await requests[id]?.prepare(harness, "sandbox", "own");
    if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
    gate.cut();
    const answer = await harness.ask(prepared.target, { key, body: prepared.body });
    gate.mend();
    expect(answer, answer.text).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test.each(keyOperations.map(({ id }) => id))("%s is answered within 5 s if storage hangs", async (id) => {
    const { harness, clock, gate } = await gatedHarness();
    const key = await harness.key(["run", "manage", "review"]);
    const prepared = await requests[id]?.prepare(harness, "sandbox", "own");
    if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
    gate.hang();
    const asking = harness.ask(prepared.target, { key, body: prepared.body });
    await clock.advance(5_000);
    const answer = await asking;
    gate.mend();
    expect(answer, answer.text).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test.each(Object.keys(clientRequests).filter((id) => id !== "pollInvocations"))(
    "%s of a client is answered within 5 s, too",
    async (id) => {
      const { harness, clock, gate } = await gatedHarness();
      const prepared = await clientRequests[id]?.(harness, "sandbox");
      if (prepared === undefined) throw new Error(`There is no request for ${id}.`);
      const { target, token, body } = prepared;
      gate.cut();
      expect(await harness.ask(target, { key: token, body })).toMatchObject({ status: 503 });
      gate.hang();
      const asking = harness.ask(target, { key: token, body });
      await clock.advance(5_000);
      expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
      gate.mend();
    },
  );

  test("a poll is held until its time is over, whether or not its client is known", async () => {
    const { harness, clock, gate } = await gatedHarness();
    const { target, token } = (await clientRequests["pollInvocations"]?.(harness, "sandbox")) ?? {
      target: "",
      token: "",
    };
    gate.hang();
    const known = harness.ask(target, { key: token });
    const other = harness.ask(target, { key: `run_sandbox_${"A".repeat(43)}` });
    await clock.advance(5_000);
    expect((await other).status).toBe(503);
    await clock.advance(25_000);
    expect([204, 503]).toContain((await known).status);
    gate.mend();
  });

  test("the process runs but is not ready, until storage is available", async () => {
    const { harness, clock, gate } = await gatedHarness();
    gate.hang();
    expect((await harness.ask("GET /healthz")).status).toBe(200);
    const asking = harness.ask("GET /readyz");
    await clock.advance(5_000);
    expect(await asking).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    gate.mend();
    expect((await harness.ask("GET /readyz")).status).toBe(200);
    gate.cut();
    expect(await harness.ask("GET /readyz")).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    gate.mend();
  });

  test("a start that waits for its run is refused, too, unless the run was stored already: then it keeps waiting", async () => {
    const { harness, clock, gate } = await gatedHarness();
    const key = await harness.key();
    const sync = { data: {}, control: { executionMode: "sync", executionTimeout: 30_000 } };
    const start = () => harness.ask("POST /v1/procedures/slow/sandbox", { key, body: sync });
    const waiting = start();
    await clock.advance(100);
    gate.hang();
    const refused = start();
    await clock.advance(5_000);
    expect(await refused).toMatchObject({ status: 503 });
    gate.mend();
    harness.release();
    await clock.advance(10_000);
    expect(await waiting).toMatchObject({ status: 200, body: { status: "completed" } });
  });
});

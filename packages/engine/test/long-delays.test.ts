import { createEngine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test } from "vitest";
import { alice, testKey, uuid } from "./harness.ts";
import { procedure, review } from "./documents.ts";

// With the machine's own clock, whose timers fire at once for a delay of more than 2^31 - 1 ms.
test.each([Infinity, 2 ** 31, 30 * 86_400_000])(
  "a wait of %d ms through a review ends with the run, not at once",
  async (timeoutMs) => {
    const storage = createMemoryStorage({ now: Date.now });
    const engine = createEngine({ storage, integrations: [], masterKey: testKey });
    onTestFinished(() => engine.stop({ drainMs: 0 }));
    await engine.start();
    await engine.procedures.publish({ document: procedure([review("r")]), version: "v1", by: alice });
    const start = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
    const asked = await engine.runs.execute(start, { timeoutMs });
    expect(asked.status).toBe("awaiting_review");
    const { runId } = asked;
    const waiting = engine.runs.wait({ environment: "sandbox", runId }, { timeoutMs, waitThroughReviews: true });
    await engine.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: uuid(),
      by: { person: "bob", roles: ["reviewer"] },
    });
    expect((await waiting).status).toBe("completed");
  },
);

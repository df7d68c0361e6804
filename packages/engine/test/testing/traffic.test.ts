import { ActionError, createEngine, defineIntegration, z } from "@procedo/engine";
import {
  recordTraffic,
  replayTraffic,
  scriptedModel,
  testProcedure,
  type TrafficRecording,
} from "@procedo/engine/testing";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { call, procedure } from "../documents.ts";
import { documentText, listedApi } from "../listed-api.ts";

const token = "sk-secret-0123456789";

/** A service that returns its secret where it should not. */
function ledger(calls: unknown[] = []) {
  return defineIntegration({
    name: "bank",
    settings: z.object({ region: z.string() }),
    secrets: z.object({ token: z.string() }),
    actions: ({ defineAction }) => ({
      vendor: defineAction({
        description: "Looks a vendor up.",
        input: z.object({ id: z.string() }),
        output: z.looseObject({ name: z.string() }),
        effect: "read",
        run: ({ id }, { secrets }) => {
          calls.push(id);
          return { name: `Vendor ${id}`, seenToken: secrets.token };
        },
      }),
      pay: defineAction({
        description: "Pays.",
        input: z.object({ to: z.string(), amount: z.int() }),
        effect: "once",
        timeoutMs: 20,
        run: ({ amount }, { attempt, secrets, signal }) => {
          calls.push(amount);
          if (amount === 13)
            return new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason as Error)),
            );
          if (amount === 14) throw new Error(`socket hang up of ${secrets.token}`);
          if (attempt === 1) throw new ActionError(`Busy, ${secrets.token}`, { retryable: true, retryAfterMs: 90_000 });
          return { id: `pay_${amount}` };
        },
      }),
    }),
  });
}

const document = procedure(
  [
    call("vendor", "vendor", { arguments: { id: "{{ input.vendor }}" } }),
    call("pay", "pay", { instructions: "Pay.", arguments: { to: "{{ nodes.vendor.output.name }}" } }),
  ],
  { output: { paid: "{{ nodes.pay.output }}" } },
);
const connections = { bank: { settings: { region: "eu" }, secrets: { token } } };
const answers = [{ text: "Hm." }, { call: { amount: 7 }, text: "As said." }];
const script = () => ({ arguments: { model: scriptedModel(answers), streaming: true, secrets: [token] } });
const input = { vendor: "ven_1" };

async function recorded(): Promise<{ readonly recording: TrafficRecording; readonly output: unknown }> {
  const traffic = recordTraffic({ integrations: [ledger()], models: script() });
  const run = await testProcedure({ document, input, connections, ...traffic });
  // As read from a file.
  return { recording: JSON.parse(JSON.stringify(traffic.recording())) as TrafficRecording, output: run.output };
}

describe("a recording", () => {
  test("is replayed without the service and without a model: the same path, output and attempts", async () => {
    const { recording, output } = await recorded();
    const traffic = replayTraffic(recording);
    const run = await testProcedure({ document, input, ...traffic });
    expect(output).toEqual({ paid: { id: "pay_7" } });
    expect(run.output).toEqual(output);
    expect(run.path).toEqual(["start", "vendor", "pay", "done"]);
    expect(run.callsOf("pay").map(({ outcome, error }) => [outcome, error])).toEqual([
      ["error", "Busy, [redacted]"],
      ["ok", undefined],
    ]);
    expect(run.turns.map(({ reply }) => reply?.[0])).toEqual([
      { type: "text", text: "Hm." },
      { type: "text", text: "As said." },
    ]);
    expect(traffic.unused()).toEqual([]);
  });

  test("has no secret in it", async () => {
    const traffic = recordTraffic({ integrations: [ledger()], models: script(), secrets: ["Vendor ven_1"] });
    await testProcedure({ document, input, connections, ...traffic });
    const text = JSON.stringify(traffic.recording());
    expect(text).toContain("[redacted]");
    expect(text).not.toContain(token);
    expect(text).not.toContain("Vendor ven_1");
  });

  test.each([
    ["an error that says nothing about the effect", 14, "socket hang up of [redacted]"],
    ["a call without an answer in time", 13, '"pay" did not answer within 20 ms.'],
  ])("of %s reproduces it", async (_what, amount, reason) => {
    const models = scriptedModel([{ call: { amount } }]);
    const traffic = recordTraffic({ integrations: [ledger()], models });
    const before = await testProcedure({ document, input, connections, ...traffic });
    const after = await testProcedure({ document, input, ...replayTraffic(traffic.recording()) });
    expect(before.review?.data["reason"]).toBe(reason);
    expect(after.review?.data["reason"]).toBe(reason);
  });

  test("of the provider's errors reproduces them, too", async () => {
    const model = scriptedModel([{ error: "Overloaded", statusCode: 529, retryAfterSeconds: 60 }, ...answers]);
    const traffic = recordTraffic({ integrations: [ledger()], models: model });
    const before = await testProcedure({ document, input, connections, ...traffic });
    const after = await testProcedure({ document, input, ...replayTraffic(traffic.recording()) });
    expect(after.turns).toEqual(before.turns);
    expect(after.entries.filter(({ type }) => type === "replied")).toEqual(
      before.entries.filter(({ type }) => type === "replied"),
    );
  });

  test("can be made in any engine, not only in tests", async () => {
    const traffic = recordTraffic({ integrations: [ledger()] });
    const storage = createMemoryStorage({ now: Date.now });
    const engine = createEngine({ storage, integrations: traffic.integrations, masterKey: new Uint8Array(32) });
    const by = { person: "ana" };
    const bank = { name: "bank", integration: "bank", environment: "sandbox", ...connections.bank, by } as const;
    await engine.connections.create(bank);
    const simple = procedure([call("vendor", "vendor", { arguments: { id: "ven_9" } })], {
      output: { name: "{{ nodes.vendor.output.name }}" },
    });
    await engine.procedures.publish({ document: simple, version: "1", by });
    await engine.start();
    const start = { procedureId: "p", environment: "sandbox", data: {}, by } as const;
    expect(await engine.runs.execute(start)).toMatchObject({ status: "completed" });
    await engine.stop();
    const run = await testProcedure({ document: simple, ...replayTraffic(traffic.recording()) });
    expect(run.output).toEqual({ name: "Vendor ven_9" });
  });

  test("of a connection with a document needs neither the document nor its server", async () => {
    const text = documentText({
      server: "https://bank.invalid",
      actions: [
        {
          name: "vendor",
          at: "GET /vendor",
          effect: "read",
          input: { type: "object", description: "d".repeat(2_000) },
        },
      ],
    });
    const listed = { bank: { integration: "listed", settings: { spec: { text } }, secrets: { token } } };
    const simple = procedure([call("vendor", "vendor")], { output: { name: "{{ nodes.vendor.output }}" } });
    const traffic = recordTraffic({ integrations: [listedApi().integration] });
    const failed = await testProcedure({ document: simple, connections: listed, ...traffic });
    expect(failed.status).toBe("failed");
    const recording = traffic.recording();
    expect(JSON.stringify(recording)).not.toContain(JSON.stringify(text).slice(1, -1));
    const again = await testProcedure({ document: simple, connections: listed, ...replayTraffic(recording) });
    expect(again.error).toBe(failed.error);
    expect(again.calls).toHaveLength(failed.calls.length);
  });
});

describe("a request that differs from the recording fails the test:", () => {
  const replayed = async (given: object) => {
    const { recording } = await recorded();
    return testProcedure({ document, input, ...replayTraffic(recording), ...given });
  };

  test("other arguments, which are named", async () => {
    await expect(replayed({ input: { vendor: "ven_2" } })).rejects.toThrow(
      'The request differs from the recorded call 1 of "bank.vendor". Record it again if the difference is intended.\n' +
        '  /id: "ven_1" became "ven_2"',
    );
  });

  test("another prompt, around the first difference", async () => {
    const nodes = document.nodes.map((node) => (node.id === "pay" ? { ...node, instructions: "Pay at once." } : node));
    await expect(replayed({ document: { ...document, nodes } })).rejects.toThrow(
      /^The request differs from the recorded turn 1 of model "scripted".*\n {2}\/0\/0\/content: …".*Pay\." became …".*Pay at once\."$/,
    );
  });

  test("one more request than recorded", async () => {
    const twice = procedure([
      call("vendor", "vendor", { arguments: { id: "ven_1" } }),
      call("again", "vendor", { arguments: { id: "ven_1" } }),
    ]);
    await expect(replayed({ document: twice })).rejects.toThrow(
      'The recording ends here: "bank.vendor" was called for the 2nd time, but 1 are recorded.',
    );
  });

  test("but unused recorded requests can be listed", async () => {
    const { recording } = await recorded();
    const traffic = replayTraffic(recording);
    const simple = procedure([call("vendor", "vendor", { arguments: { id: "ven_1" } })]);
    await testProcedure({ document: simple, ...traffic });
    expect(traffic.unused()).toEqual([
      'bank.pay {"amount":7,"to":"Vendor ven_1"}',
      'bank.pay {"amount":7,"to":"Vendor ven_1"}',
      "a turn of model 1",
      "a turn of model 1",
    ]);
  });
});

test("an invalid recording is refused", () => {
  expect(() => replayTraffic({ version: 2 } as never)).toThrow(
    "The recording has version 2; only version 1 can be replayed.",
  );
});

test("a run's id and start may differ from the recorded ones", async () => {
  const { recording } = await recorded();
  const run = await testProcedure({ document, input, startsAt: "2031-01-01T00:00:00Z", ...replayTraffic(recording) });
  expect(run.status).toBe("completed");
});

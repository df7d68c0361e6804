import { describe, expect, onTestFinished, test } from "vitest";
import { systemRuntime } from "../src/runtime.ts";
import type { PrivateService } from "./private-service.ts";
import { connect, echo, functionOf, gate, nextEvent } from "./setup.ts";

/** The common promises of a client and a service, for either service. Each test has a service of its own. */
export function testPair(name: string, start: () => Promise<PrivateService>): void {
  describe(`client and ${name}`, () => {
    async function pair(functions: Parameters<typeof connect>[1], options: Parameters<typeof connect>[3] = {}) {
      const service = await start();
      onTestFinished(() => service[Symbol.asyncDispose]());
      const started = connect(service, functions, systemRuntime, options);
      await nextEvent(started.connection, "connected");
      return started;
    }

    test("a call is answered, whether it is idempotent or acknowledged first", async () => {
      const { service } = await pair([echo, functionOf("pay", (input) => ({ paid: input }))]);
      expect(await service.call("echo", { value: [1, null] }).settled).toEqual({ status: "ok", output: [1, null] });
      expect(await service.call("pay", { cents: 5 }).settled).toEqual({ status: "ok", output: { paid: { cents: 5 } } });
    });

    test("the handler gets the call's context", async () => {
      const seen: object[] = [];
      const { service } = await pair([functionOf("see", (_input, context) => void seen.push(context))]);
      await service.call("see").settled;
      expect(seen).toEqual([
        {
          ...{ id: expect.any(String), idempotencyKey: expect.any(String), environment: service.environment },
          ...{ runId: expect.any(String), procedureId: expect.any(String), procedureVersion: expect.any(String) },
          signal: expect.any(AbortSignal),
        },
      ]);
    });

    test("undefined, null and an empty text stay distinct", async () => {
      const results: unknown[] = [undefined, null, ""];
      const { service } = await pair([functionOf("give", ({ at }) => results[Number(at)])]);
      const settled = await Promise.all(results.map((_result, at) => service.call("give", { at }).settled));
      expect(settled).toEqual([service.nothing, { status: "ok", output: null }, { status: "ok", output: "" }]);
    });

    test("an error has its message, invalid input all its problems, and the client continues", async () => {
      const failing = functionOf("fail", () => {
        throw new Error("The list is locked.");
      });
      const { service } = await pair([failing, echo]);
      expect(await service.call("fail").settled).toEqual({ status: "error", error: "The list is locked." });
      expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
    });

    test("a result of 5 MB arrives, and one over the limit is an error", async () => {
      const { service } = await pair([functionOf("large", ({ bytes }) => "x".repeat(Number(bytes)))]);
      expect(await service.call("large", { bytes: 5_000_000 }).settled).toMatchObject({ status: "ok" });
      expect(await service.call("large", { bytes: 9_000_000 }).settled).toMatchObject({ status: "error" });
    });

    test("100 calls are shared by two clients, none above its limit, each made once", async () => {
      let running = 0;
      let most = 0;
      const made: string[] = [];
      const work = functionOf("work", async (_input, { id }) => {
        most = Math.max(most, ++running);
        made.push(id);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      });
      const { service } = await pair([work], { concurrency: 4 });
      await nextEvent(connect(service, [work], systemRuntime, { concurrency: 4 }).connection, "connected");
      await Promise.all(Array.from({ length: 100 }, () => service.call("work").settled));
      expect(new Set(made).size).toBe(100);
      expect(made).toHaveLength(100);
      expect(most).toBeLessThanOrEqual(8);
    });

    test("calls that end at the same time get their own results", async () => {
      const end = gate();
      let running = 0;
      const work = functionOf("work", async ({ n }) => {
        if (++running === 20) end.resolve();
        await end.promise;
        if (n === 7) throw new Error("Not this one.");
        return n;
      });
      const { service } = await pair([work], { concurrency: 20 });
      const calls = Array.from({ length: 20 }, (_, n) => service.call("work", { n }));
      const settled = await Promise.all(calls.map((call) => call.settled));
      const ofSeven = { status: "error", error: "Not this one." };
      expect(settled).toEqual(calls.map((_, n) => (n === 7 ? ofSeven : { status: "ok", output: n })));
    });

    test("the service knows the registered functions", async () => {
      const { service } = await pair([echo, functionOf("pay", () => 1)]);
      expect([...(await service.registeredFunctions())].sort()).toEqual(["echo", "pay"]);
    });

    test("clients of two versions work side by side, and a call goes to one that serves the function", async () => {
      const { service } = await pair([echo]);
      const next = connect(service, [functionOf("fresh", () => "of the new one", { idempotent: true })], systemRuntime);
      await nextEvent(next.connection, "connected");
      const calls = Array.from({ length: 10 }, (_, n) => service.call(n % 2 === 0 ? "echo" : "fresh", { value: n }));
      const settled = await Promise.all(calls.map(({ settled: one }) => one));
      expect(settled.map(({ status }) => status)).toEqual(Array(10).fill("ok"));
    });

    test("a token that is regenerated ends the client that holds a poll, and the new one works", async () => {
      const { service, ended } = await pair([echo]);
      await service.regenerateToken();
      await expect(ended).rejects.toMatchObject({ code: "unauthorized" });
      const next = connect(service, [echo], systemRuntime);
      await nextEvent(next.connection, "connected");
      expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
    });

    test("closing finishes running calls", async () => {
      const end = gate<unknown>();
      const { service, connection } = await pair([functionOf("slow", () => end.promise)]);
      const started = nextEvent(connection, "invocation");
      const call = service.call("slow");
      await started;
      const closed = connection.close();
      end.resolve("done");
      await closed;
      expect(await call.settled).toEqual({ status: "ok", output: "done" });
    });
  });
}

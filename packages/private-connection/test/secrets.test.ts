import { expect, test } from "vitest";
import { connect, connected, echo, functionOf, nextEvent, startService } from "./setup.ts";
import { createTestRuntime, settle } from "./test-runtime.ts";

test("the token is in no log line, event, state, error or result, whatever fails and whatever a handler throws", async () => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime });
  const secret = service.token;
  const leaky = functionOf("leaky", () => {
    throw new Error(`Bearer ${secret} was refused`);
  });
  const { connection, log, ended } = connect(service, [leaky, echo], runtime);
  const seen: unknown[] = [];
  for (const name of ["connected", "reconnecting", "stopped", "invocation"] as const) {
    connection.on(name, (event) => seen.push(event));
  }
  for (const fault of ["refused", { status: 500, body: { error: `No: ${secret}` } }] as const) {
    service.failNext("/v1/sdk/functions", fault);
  }
  for (let second = 0; second < 5; second++) await runtime.advance(1_000);
  const leaked = await service.call("leaky").settled;
  expect(leaked).toEqual({ status: "error", error: "Bearer [token] was refused" });
  await service.regenerateToken();
  const error: unknown = await ended.catch((thrown: unknown) => thrown);
  const everything = [...log.lines, JSON.stringify(seen), JSON.stringify(connection.state), String(error)].join("\n");
  expect(log.lines.length).toBeGreaterThan(4);
  expect(everything).not.toContain(secret);
});

test("a stack stays in this network, where it is logged, unless it is asked for", async () => {
  const failing = functionOf("failing", () => {
    throw new Error("The list is locked.");
  });
  const { service, log } = await connected([failing]);
  expect(await service.call("failing").settled).toEqual({ status: "error", error: "The list is locked." });
  expect(log.lines.join("\n")).toMatch(/A function failed.*secrets\.test\.ts/);

  const open = await connected([failing], { sendStackTraces: true });
  expect(await open.service.call("failing").settled).toEqual({
    status: "error",
    error: expect.stringMatching(/^Error: The list is locked\.\n\s+at .*secrets\.test\.ts/),
  });
});

test("inputs and results are in no log line", async () => {
  const { service, connection, log } = await connected([echo]);
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  await service.call("echo", { value: "DE89 3704 0044 0532 0130 00" }).settled;
  await ended;
  await settle();
  expect(log.lines.join("\n")).not.toContain("DE89");
});

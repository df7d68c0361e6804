import { expect, test } from "vitest";
import { connect, connected, echo, functionOf, nextEvent, startService } from "./setup.ts";
import { createTestRuntime, settle } from "./test-runtime.ts";

test("the token is in no log line, event, state, error or result, for any failure and any exception of a handler", async () => {
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

test("a stack stays in this network, where it is logged, unless it is requested", async () => {
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

test("no part of the token is in a result or a log line, wherever a text is cut, and none in an output", async () => {
  let before = 0;
  const cut = functionOf("cut", () => {
    throw new Error(`${"x".repeat(16_384 - before)}${token} was refused`);
  });
  const reported = functionOf("told", () => ({ sent: `Bearer ${token}` }));
  const { service, log } = await connected([cut, reported]);
  const { token } = service;
  for (before = 0; before <= token.length; before += 3) {
    const settled = await service.call("cut").settled;
    expect(JSON.stringify(settled)).toMatch(/x(\[[token]*\]?[ a-z]*)?(… \(\d+ characters\))?"/);
  }
  expect(await service.call("told").settled).toEqual({ status: "ok", output: { sent: "Bearer [token]" } });
  expect(log.lines.join("\n")).not.toMatch(/x[^\["… ]*run_/);
});

test("a message of the service is one line without control characters, wherever it is shown", async () => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime });
  const { connection, log } = connect(service, [echo], runtime);
  const seen: string[] = [];
  connection.on("reconnecting", ({ error }) => seen.push(error.message));
  const said = `No.\n\u001b[2JError: paid\u202e\u2028 ${"y".repeat(970)}${service.token}`;
  service.failNext("/v1/sdk/functions", { status: 500, body: { error: said } });
  await runtime.advance(1_000);
  const all = [...seen, ...log.lines, JSON.stringify(connection.state)].join("");
  expect(seen).toHaveLength(1);
  expect(all).toContain("No.\\u{a}\\u{1b}[2JError: paid\\u{202e}\\u{2028} yyy");

  expect(all).not.toMatch(/[\u0000-\u001f\u202e\u2028]|yrun_/);
});

import { once } from "node:events";
import { connect } from "node:net";
import type { CreatedApiKey } from "@procedo/contract";
import { defineProcedure } from "@procedo/engine";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { call, fileWith, procedoJson, type Place } from "./server-process.ts";
import { openPlace, startNode, storagesAndPolling } from "./shared-place.ts";

/** Waits for a client of a private connection that never polls. */
const waiting = defineProcedure({
  procedureId: "waiting",
  name: "Waiting",
  input: z.object({ text: z.string() }),
  nodes: {
    start: { kind: "start", next: "screen" },
    screen: {
      kind: "tool_call",
      connection: "office",
      action: "screen",
      arguments: { text: "{{ input.text }}" },
      next: "done",
    },
    done: { kind: "end", output: {} },
  },
});

describe.each(storagesAndPolling)("two nodes on one %s", (_name, open) => {
  let place: Place;

  beforeEach(async () => {
    place = await openPlace(open);
  });

  const start = async () => (await startNode(place)).url;

  const makeKey = async () =>
    await procedoJson<CreatedApiKey>(place, "keys", "create", "--name", "n", "--environment", "sandbox");

  test("deleting a key on one node ends its waiting request and its open answer on the other", async () => {
    const [near, far] = [await start(), await start()];
    const [manager, doomed] = [await makeKey(), await makeKey()];
    const office = { name: "office", integration: "private_connection" };
    const created = await call(`${near}/api/v1/connections`, manager.key, office);
    const { tokens } = created.body as { readonly tokens: { readonly sandbox: string } };
    const input = { type: "object", properties: { text: { type: "string" } } };
    const functions = [{ name: "screen", description: "Looks at a text.", input, idempotent: true }];
    const register = await fetch(`${near}/v1/sdk/functions`, {
      method: "PUT",
      headers: { authorization: `Bearer ${tokens.sandbox}`, "content-type": "application/json" },
      body: JSON.stringify({ functions }),
    });
    expect(register.status).toBe(200);
    await procedoJson(place, "procedures", "publish", fileWith(place, "waiting", waiting), "--version", "1");

    const data = { text: "x".repeat(900_000) };
    const control = { executionMode: "sync", executionTimeout: 300_000 };
    const answering = call(`${near}/v1/procedures/waiting/sandbox`, doomed.key, { data, control });
    const runs = async () =>
      ((await call(`${near}/api/v1/runs`, manager.key)).body as { readonly data: { readonly runId: string }[] }).data;
    await expect.poll(async () => (await runs()).length).toBe(1);
    const runId = (await runs())[0]?.runId ?? "";

    const socket = connect(Number(new URL(near).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    const asked = `GET /api/v1/runs/${runId}/audit HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${doomed.key}\r\n`;
    // No bytes of these answers are read before the deletion, so that most are still being sent.
    socket.write(`${asked}\r\n`.repeat(15) + `${asked}Connection: close\r\n\r\n`);
    await once(socket, "readable");

    const deleted = await fetch(`${far}/api/v1/api-keys/${doomed.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${manager.key}` },
    });
    expect(deleted.status).toBe(200);
    const answer = await answering;
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    expect(JSON.stringify(answer.body)).not.toContain(runId);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    // An open answer is cut off and later requests are rejected: no answer requested too late is complete.
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
    expect(text.split("0\r\n\r\n").length - 1).toBeLessThan(16);
    // The run was started with a valid key, so it continues.
    expect((await call(`${near}/runs/${runId}`, manager.key)).body).toMatchObject({ status: "running" });
  });
});

/* A sandbox key attacks live in every available way, while a live client works on a real server. */
import { randomUUID } from "node:crypto";
import type { CreatedApiKey, CreatedConnection, Environment, RegeneratedToken, RunAccepted } from "@procedo/contract";
import { defineProcedure } from "@procedo/engine";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { payment } from "./bank.ts";
import { procedoJson } from "./server-process.ts";
import { openPlace, startNode, storages } from "./shared-place.ts";

/** Marks all live data; no answer to the sandbox key may contain it. */
const planted = "planted-in-live";

const screening = defineProcedure({
  procedureId: "screening",
  name: "Screening",
  input: z.object({ name: z.string() }),
  nodes: {
    start: { kind: "start", next: "screen" },
    screen: {
      kind: "tool_call",
      connection: "office",
      action: "screen",
      arguments: { name: "{{ input.name }}" },
      next: "done",
    },
    done: { kind: "end", output: { said: "{{ nodes.screen.output }}" } },
  },
});
const hijacked = { ...screening, nodes: screening.nodes.map((node) => ({ ...node, title: "hijacked" })) };

describe.each(storages)("on %s, a sandbox key with all permissions", (_name, open) => {
  test("reads nothing of live and stops nothing there", async () => {
    const place = await openPlace(open);
    const server = await startNode(place);
    const keyOf = async (environment: Environment) =>
      await procedoJson<CreatedApiKey>(
        place,
        ...["keys", "create", "--name", "key", "--environment", environment, "--permissions", "run,manage,review"],
      );
    const [sandbox, live] = [await keyOf("sandbox"), await keyOf("live")];
    const ask = async (key: string, target: string, body?: unknown) => {
      const [method = "", path = ""] = target.split(" ");
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(server.url + path, { method, headers, ...sent });
      const text = await response.text();
      return { status: response.status, text, json: <T>(): T => JSON.parse(text) as T };
    };
    const reported: string[] = [];
    /** Sends a request with the sandbox key. */
    const attack = async (target: string, body?: unknown, key = sandbox.key): Promise<number> => {
      const { status, text } = await ask(key, target, body);
      reported.push(`${target} ${status} ${text}`);
      return status;
    };

    // The sandbox key creates the connection, and live creates its own token for it.
    const created = await ask(sandbox.key, "POST /api/v1/connections", {
      name: "office",
      integration: "private_connection",
    });
    reported.push(created.text);
    const { id, tokens } = created.json<CreatedConnection>();
    expect(Object.keys(tokens ?? {})).toEqual(["sandbox"]);
    const connection = `/api/v1/connections/${id}`;
    const tokenPath = `POST ${connection}/private-connection/tokens`;
    const { token } = (await ask(live.key, `${tokenPath}/live`)).json<RegeneratedToken>();

    // A live client whose first call stays open during the attacks.
    const begun = Promise.withResolvers<string>();
    const over = Promise.withResolvers<undefined>();
    const screen = defineFunction({
      name: "screen",
      description: planted,
      input: z.object({ name: z.string() }),
      idempotent: true,
      handler: async ({ name }, { id: invocationId }) => {
        begun.resolve(invocationId);
        await over.promise;
        return `${name} is not on the list`;
      },
    });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const client = createPrivateConnection({ url: server.url, token, functions: [screen], log, proxy: false });
    onTestFinished(() => client.close({ drainMs: 0 }));
    const connected = new Promise<void>((resolve) => void client.on("connected", () => resolve()));
    client.start().catch(() => {});
    await connected;
    const publish = async (document: object, version: string, defaultIn: readonly Environment[] = ["live"]) => {
      const { procedureId } = document as typeof screening;
      const body = { document, version, defaultIn };
      const { status, text } = await ask(live.key, `POST /api/v1/procedures/${procedureId}/versions`, body);
      expect(status, text).toBe(201);
    };
    await publish(screening, "v1");
    await publish(payment, "v1");
    const start = async (procedureId: string, data: object, executionMode = "sync") =>
      await ask(live.key, `POST /v1/procedures/${procedureId}/live`, { data, control: { executionMode } });
    const { runId } = (await start("screening", { name: planted }, "async")).json<RunAccepted>();
    const invocationId = await begun.promise;

    // Attacks on resources that both environments share.
    expect(await attack(`${tokenPath}/live`)).toBe(403);
    for (const query of ["", "?force=true", "?force=true&environment=live", "?environment=sandbox"]) {
      expect(await attack(`PATCH ${connection}${query}`, { name: "gone" })).toBe(403);
      expect(await attack(`DELETE ${connection}${query}`)).toBe(403);
    }
    expect(await attack(`GET ${connection}`)).toBe(200);
    expect(await attack(`GET ${connection}/actions`)).toBe(200);
    expect(await attack(`POST ${connection}/test`)).toBe(200);
    expect(await attack(`GET ${connection}/private-connection/status`)).toBe(200);
    expect(await attack(`GET ${connection}/private-connection/status?environment=live`)).toBe(403);
    // A name that live uses without a connection.
    expect(await attack("POST /api/v1/connections", { name: "bank", integration: "private_connection" })).toBe(201);

    // Attacks on the versions that live runs.
    const versions = "POST /api/v1/procedures/screening/versions";
    const draft = "PUT /api/v1/procedures/screening/draft";
    expect(await attack(versions, { document: hijacked, version: "v2", defaultIn: ["live"] })).toBe(403);
    expect(await attack(versions, { document: hijacked, version: "v2", defaultIn: ["sandbox", "live"] })).toBe(403);
    expect(await attack(versions, { document: hijacked, version: "v1" })).toBe(409);
    expect(await attack(versions, { document: hijacked, version: "v3" })).toBe(201);
    expect(await attack("PUT /api/v1/procedures/screening/defaults/live", { version: "v3" })).toBe(403);
    expect((await ask(live.key, draft, { document: screening })).status).toBe(200);
    expect(await attack(draft, { document: hijacked, revision: 1 })).toBe(200);
    const unread = await ask(live.key, versions, { version: "v4", defaultIn: ["live"] });
    expect([unread.status, unread.text]).toEqual([409, expect.stringContaining("revision_conflict")]);
    expect(await attack(versions, { version: "v4", defaultIn: ["live"] })).toBe(403);

    // Attacks on the run, its review, the keys and the calls of the live client.
    for (const target of [
      `GET /runs/${runId}`,
      `GET /api/v1/runs/${runId}/audit`,
      `POST /api/v1/runs/${runId}/cancel`,
    ]) {
      expect(await attack(target, target.startsWith("POST") ? {} : undefined), target).toBe(404);
    }
    expect(
      await attack(`POST /api/runner-proxy/review/${runId}`, { approved: true, idempotencyKey: randomUUID() }),
    ).toBe(404);
    expect(await attack("POST /v1/procedures/screening/live", { data: { name: "x" } })).toBe(403);
    expect(await attack("POST /api/v1/api-keys", { name: "k", environment: "live" })).toBe(403);
    expect(await attack(`DELETE /api/v1/api-keys/${live.id}`)).toBe(403);
    for (const target of ["runs", "reviews", "webhooks", "connections", "procedures", "api-keys"]) {
      expect(await attack(`GET /api/v1/${target}`)).toBe(200);
    }
    const own = tokens?.sandbox;
    const lease = { invocationId, leaseToken: "x".repeat(32) };
    expect(await attack("POST /v1/sdk/heartbeat", { invocations: [lease] }, own)).toBe(200);
    expect(await attack("POST /v1/sdk/result", { ...lease, status: "ok", output: "hijacked" }, own)).toBe(409);
    const functions = Array.from({ length: 30 }, (_, number) => ({
      functions: [{ name: `f${number}`, description: "x", input: { type: "object" } }],
    }));
    const flood = Promise.all(functions.map((body) => attack("PUT /v1/sdk/functions", body, own)));

    // Live continues, and replaces its token during the flood.
    over.resolve(undefined);
    const ended = async () => (await ask(live.key, `GET /runs/${runId}`)).json<{ readonly status: string }>();
    await expect.poll(ended).toMatchObject({
      status: "completed",
      output: { said: `${planted} is not on the list` },
    });
    const again = await start("screening", { name: "Acme" });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining("Acme is not on the list")]);
    const paid = await start("payment", { sum: 5 });
    expect([paid.status, paid.text]).toEqual([200, expect.stringContaining("Paid 5 cents.")]);
    expect((await ask(live.key, `${tokenPath}/live`)).status).toBe(200);
    expect((await flood).length).toBe(30);

    const procedure = await ask(live.key, "GET /api/v1/procedures/screening");
    expect(procedure.json<{ readonly defaults: unknown }>().defaults).toEqual({ live: "v1" });
    for (const text of reported) expect(text).not.toContain(planted);
    for (const text of reported) expect(text).not.toContain("run_live_");
  });
});

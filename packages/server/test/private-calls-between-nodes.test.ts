import type { CreatedApiKey, CreatedConnection, RegeneratedToken } from "@procedo/contract";
import { defineProcedure } from "@procedo/engine";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { call, fileWith, procedoJson, type Place } from "./server-process.ts";
import { openPlace, startNode, storages } from "./shared-place.ts";

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

const screen = defineFunction({
  name: "screen",
  description: "Compares a name with the list.",
  input: z.object({ name: z.string() }),
  handler: ({ name }) => `${name} is not on the list`,
});

describe.each(storages)("private functions between two nodes on one %s", (_name, open) => {
  let place: Place;

  beforeEach(async () => {
    place = await openPlace(open);
  });

  const start = async () => (await startNode(place)).url;

  test("a poll on one node receives calls of the other node's runs, and ends when the other node replaces its token", async () => {
    const [near, far] = [await start(), await start()];
    const { key } = await procedoJson<CreatedApiKey>(
      place,
      "keys",
      "create",
      "--name",
      "n",
      "--environment",
      "sandbox",
    );
    const created = await call(`${far}/api/v1/connections`, key, { name: "office", integration: "private_connection" });
    const { id, tokens } = created.body as CreatedConnection;
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const options = { url: near, token: tokens?.sandbox ?? "", functions: [screen], log, proxy: false } as const;
    const connection = createPrivateConnection(options);
    onTestFinished(() => connection.close({ drainMs: 0 }));
    const connected = new Promise<void>((resolve) => void connection.on("connected", () => resolve()));
    const ended = connection.start();
    ended.catch(() => {});
    await connected;
    const publish = ["procedures", "publish", fileWith(place, "screening", screening), "--version", "1"];
    await procedoJson(place, ...publish);

    for (const name of ["Acme", "Globex"]) {
      const request = { data: { name }, control: { executionMode: "sync" } };
      const answer = await call(`${far}/v1/procedures/screening/sandbox`, key, request);
      expect(answer).toMatchObject({ status: 200, body: { output: { said: `${name} is not on the list` } } });
    }
    const path = `/api/v1/connections/${id}/private-connection`;
    const status = await call(`${far}${path}/status`, key);
    expect(status.body).toMatchObject({ status: "connected", registeredFunctions: ["screen"] });

    const regenerated = await call(`${far}${path}/tokens/sandbox`, key, {});
    expect((regenerated.body as RegeneratedToken).token).toMatch(/^run_sandbox_/);
    await expect(ended).rejects.toMatchObject({ code: "unauthorized" });
  });
});

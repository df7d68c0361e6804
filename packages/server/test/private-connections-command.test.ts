import { createdConnectionSchema, privateConnectionStatusSchema, regeneratedTokenSchema } from "@procedo/contract";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { makePlace, procedo, procedoJson, startProcess, type Place, type ServerProcess } from "./server-process.ts";

let place: Place;
let server: ServerProcess;

beforeAll(async () => {
  place = makePlace();
  server = await startProcess(place);
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

const command = (...argv: readonly string[]) => procedo(place, "private-connections", ...argv);
const json = (...argv: readonly string[]) => procedoJson<unknown>(place, "private-connections", ...argv);
const create = async (name: string) => createdConnectionSchema.parse(await json("create", "--name", name));

const screen = defineFunction({
  name: "screen",
  description: "Looks a name up",
  input: z.object({ name: z.string() }),
  handler: () => ({ hit: false }),
});

describe("procedo private-connections", () => {
  test("create shows a token for each environment, once", async () => {
    const { name, tokens } = await create("office");
    expect(name).toBe("office");
    expect(tokens?.sandbox).toMatch(/^run_sandbox_/);
    expect(tokens?.live).toMatch(/^run_live_/);
    const shown = await procedo(place, "connections", "show", "office", "--json");
    expect(shown.out).not.toContain(tokens?.sandbox);
  });

  test("create also prints the tokens without --json", async () => {
    const { code, out } = await command("create", "--name", "branch");
    expect(code).toBe(0);
    expect(out).toMatch(/sandbox: run_sandbox_\S+\n {2}live: run_live_\S+/);
  });

  test("status shows a polling client and its functions", async () => {
    const { tokens } = await create("warehouse");
    expect((await command("status", "warehouse")).out).toContain('"warehouse" is disconnected in sandbox');
    const client = createPrivateConnection({ functions: [screen], token: tokens?.sandbox ?? "", url: server.url });
    const running = client.start();
    try {
      await expect
        .poll(() => json("status", "warehouse"), { interval: 500 })
        .toMatchObject({ status: "connected", registeredFunctions: ["screen"] });
      privateConnectionStatusSchema.parse(await json("status", "warehouse"));
    } finally {
      await client.close();
      await running;
    }
  });

  test("token replaces the token of one environment and keeps the other", async () => {
    const { tokens } = await create("depot");
    const { token } = regeneratedTokenSchema.parse(await json("token", "depot", "--environment", "sandbox"));
    const asked = async (bearer: string | undefined) => {
      const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
      const functions = { method: "PUT", headers, body: JSON.stringify({ functions: [] }) };
      return (await fetch(`${server.url}/v1/sdk/functions`, functions)).status;
    };
    expect(await asked(tokens?.sandbox)).toBe(401);
    expect(await asked(token)).not.toBe(401);
    expect(await asked(tokens?.live)).not.toBe(401);
  });

  test("token requires an environment", async () => {
    await create("shed");
    expect(await command("token", "shed")).toMatchObject({ code: 2 });
  });

  test("other connections have no status", async () => {
    expect(await command("status", "nowhere")).toMatchObject({
      code: 1,
      err: expect.stringContaining("connection_not_found") as string,
    });
  });
});

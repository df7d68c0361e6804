/** Actions that speak another protocol than HTTP, over a connection of the guarded client. */
import { once } from "node:events";
import { createEngine, defineIntegration, z, type ActionContext, type GuardedConnection } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../src/egress/listeners.fixture.ts";
import { procedure } from "./documents.ts";
import { alice, testKey } from "./harness.ts";

const sandbox = { environment: "sandbox" } as const;
const settings = z.object({ host: z.string(), port: z.int() });

type Use = (
  connection: GuardedConnection,
  context: Pick<ActionContext<z.output<typeof settings>>, "signal">,
) => Promise<unknown>;

/** An engine with a connection to a service of lines on this machine. */
async function lineService({ use = send, ...options }: { use?: Use; resolve?: () => Promise<string[]> } = {}) {
  const server = await listen((socket) => socket.once("data", () => socket.write("taken\n")));
  const service = defineIntegration({
    name: "lines",
    settings,
    secrets: z.object({ token: z.string() }),
    destinationOf: ({ host }) => ({ host }),
    account: async ({ settings: { host, port }, connect }) => {
      await send(await connect({ host, port }));
      return { id: host, name: host };
    },
    actions: ({ defineAction }) => ({
      send: defineAction({
        description: "Sends a line.",
        effect: "once",
        input: z.object({}),
        run: async (_input, { connect, settings: { host, port }, signal }) =>
          await use(await connect({ host, port }), { signal }),
      }),
    }),
  });
  const engine = createEngine({
    storage: createMemoryStorage({ now: Date.now }),
    integrations: [service],
    masterKey: testKey,
    egress: { allowNetworks: ["127.0.0.1"], ...options },
  });
  onTestFinished(() => engine.stop({ drainMs: 0 }));
  await engine.start();
  const connect = (host = "127.0.0.1") =>
    engine.connections.create({
      ...{ name: "lines", integration: "lines", ...sandbox, by: alice },
      ...{ settings: { host, port: server.port }, secrets: { token: "tok-123456" } },
    });
  const run = async () => {
    const node = { id: "a", kind: "tool_call", connection: "lines", action: "send" } as const;
    const once = { ...node, retry: { maxAttempts: 1 } };
    await engine.procedures.publish({ document: procedure([once]), version: "v1", by: alice });
    const { status, runId } = await engine.runs.execute({ procedureId: "p", ...sandbox, data: {}, by: alice });
    const { steps } = await engine.runs.get({ ...sandbox, runId });
    return { status, attempt: steps[1]?.attempts[0] };
  };
  return { engine, server, connect, run };
}

async function send({ socket }: GuardedConnection): Promise<string> {
  socket.write("hello\n");
  const [line] = (await once(socket, "data")) as [Buffer];
  socket.end();
  return line.toString();
}

describe("a call over a connection", () => {
  test("is made once, to an address that may be reached", async () => {
    const { connect, run, server } = await lineService();
    await connect();
    expect(await run()).toMatchObject({ status: "completed", attempt: { outcome: "ok" } });
    expect(server.received()).toBe("hello\n");
  });

  test("has an unknown outcome when it fails after the connection was open", async () => {
    const { connect, run } = await lineService({ use: () => Promise.reject(new Error("The line is broken.")) });
    await connect();
    expect(await run()).toMatchObject({ status: "awaiting_review", attempt: { outcome: "unknown" } });
  });

  test("learns of the end of its worker by its signal, and sends nothing more", async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const use: Use = async ({ socket, beforeSend }, { signal }) => {
      begun.resolve();
      await once(signal, "abort");
      socket.destroy();
      try {
        beforeSend();
      } catch (error) {
        ended.resolve(error);
      }
      throw new Error("The connection is closed.");
    };
    const { connect, engine, run } = await lineService({ use });
    await connect();
    const stopped = run().catch(() => undefined);
    await begun.promise;
    await engine.stop({ drainMs: 0 });
    expect(await ended.promise).toMatchObject({
      failure: "withheld",
      message: expect.stringMatching(/stopped/) as string,
    });
    await stopped;
  });

  test("is not made to a name that leads to a private network by now", async () => {
    const answers = [["93.184.216.34"], ["10.0.0.1"]];
    const { connect, run, server } = await lineService({ resolve: async () => answers.shift() ?? [] });
    await connect("mail.test");
    expect(await run()).toMatchObject({
      status: "failed",
      attempt: { outcome: "error", message: expect.stringMatching(/through a private connection/) as string },
    });
    expect(server.arrivals).toEqual([]);
  });
});

describe("the destination in the settings of a connection", () => {
  test("is checked before the connection is saved", async () => {
    const { connect, engine } = await lineService();
    const refused = { code: "destination_not_allowed", status: 422 };
    for (const host of ["10.0.0.1", "169.254.169.254", "localhost:25", "a b"]) {
      await expect(connect(host)).rejects.toMatchObject(refused);
    }
    const { connectionId } = await connect();
    const update = { connectionId, ...sandbox, by: alice };
    await expect(engine.connections.update({ ...update, settings: { host: "10.0.0.1" } })).rejects.toMatchObject(
      refused,
    );
    expect((await engine.connections.get(update)).settings).toMatchObject({ host: "127.0.0.1" });
  });

  test("is not checked again when it does not change, so that a secret can be replaced while names do not resolve", async () => {
    let isDown = false;
    const resolve = () => (isDown ? Promise.reject(new Error("ESERVFAIL")) : Promise.resolve(["93.184.216.34"]));
    const { connect, engine } = await lineService({ resolve });
    const { connectionId } = await connect("mail.test");
    isDown = true;
    const update = { connectionId, ...sandbox, by: alice };
    await engine.connections.update({ ...update, secrets: { token: "tok-654321" } });
    const moved = engine.connections.update({ ...update, settings: { host: "other.test" } });
    await expect(moved).rejects.toMatchObject({ code: "destination_not_allowed" });
  });

  test("is reached by the test of the connection", async () => {
    const { connect, engine, server } = await lineService();
    const { connectionId } = await connect();
    const tested = await engine.connections.test({ connectionId, ...sandbox, by: alice });
    expect(tested).toEqual({ ok: true, account: { id: "127.0.0.1", name: "127.0.0.1" } });
    expect(server.received()).toBe("hello\n");
  });
});

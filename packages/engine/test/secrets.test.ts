import { ActionError, defineIntegration, type ActionContext, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { procedure } from "./documents.ts";

const canary = 'canary-7f3a91"<&>e5';
const short = "pw-9";

/** An integration that handles its secrets as carelessly as possible. */
function careless(behaviour: (context: ActionContext<{ region: string }, { apiKey: string; pin: string }>) => unknown) {
  return defineIntegration({
    name: "vault",
    settings: z.object({ region: z.enum(["eu", "us"]) }),
    secrets: z.object({ apiKey: z.string().min(4), pin: z.string() }),
    actions: ({ defineAction }) => ({
      use: defineAction({
        description: "Uses the key.",
        input: z.looseObject({}),
        effect: "once",
        run: (_args, context) => behaviour(context) as Promise<unknown>,
      }),
    }),
  });
}

const using = procedure([{ id: "a", kind: "tool_call", connection: "main", action: "use" }], {
  output: { a: "{{ nodes.a.output }}" },
});
const connection = {
  name: "main",
  integration: "vault",
  environment: "sandbox",
  settings: { region: "eu" },
  secrets: { apiKey: canary, pin: short },
  by: alice,
} as const;

/** All data of a run in storage and from the engine, as text. */
async function everything(harness: Harness, runId: string): Promise<string> {
  const scope = { workspace: "default", environment: "sandbox" } as const;
  return JSON.stringify([
    await harness.storage.runs.journal({ scope, runId }),
    await harness.storage.reviews.ofRun({ scope, runId }),
    await harness.storage.records.list({ workspace: "default", kind: "connection", limit: 10 }),
    await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 }),
    await harness.read(runId),
    await harness.engine.connections.list({ environment: "sandbox", limit: 10 }),
    harness.engine.logged,
  ]);
}

function forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    encodeURIComponent(secret),
  ];
}

describe("a connection's secrets", () => {
  test("reach the action in plain text together with its settings, for the run's environment", async () => {
    const seen: unknown[] = [];
    const vault = careless(({ settings, secrets, environment }) => {
      seen.push({ settings, secrets, environment });
      return {};
    });
    const harness = await createHarness({ integrations: [vault] });
    await harness.engine.connections.create(connection);
    await harness.engine.connections.create({
      ...connection,
      environment: "live",
      settings: { region: "us" },
      secrets: { apiKey: "live-key", pin: "1" },
    });
    await harness.publish(using, { defaultIn: ["sandbox", "live"] });
    await harness.run();
    await harness.run({}, { environment: "live" });
    expect(seen).toEqual([
      { environment: "sandbox", settings: { region: "eu" }, secrets: { apiKey: canary, pin: short } },
      { environment: "live", settings: { region: "us" }, secrets: { apiKey: "live-key", pin: "1" } },
    ]);
  });

  test.each<[string, (context: { secrets: { apiKey: string } }) => unknown]>([
    ["its output", ({ secrets }) => ({ echoed: secrets.apiKey, inside: [`Bearer ${secrets.apiKey}!`] })],
    ["a member's name of its output", ({ secrets }) => ({ [secrets.apiKey]: 1 })],
    ["an output in base64", ({ secrets }) => ({ echoed: Buffer.from(secrets.apiKey).toString("base64") })],
    ["an output in a URL", ({ secrets }) => ({ url: `https://x.test/?key=${encodeURIComponent(secrets.apiKey)}` })],
    [
      "an error's message",
      ({ secrets }) => {
        throw new Error(`401 for key ${secrets.apiKey}`);
      },
    ],
    [
      "an error's details",
      async ({ secrets }) => {
        throw new ActionError("refused", {
          details: { request: { headers: { authorization: `Bearer ${secrets.apiKey}` } } },
        });
      },
    ],
    [
      "an unreadable answer",
      ({ secrets }) => ({
        get x(): never {
          throw new Error(secrets.apiKey);
        },
      }),
    ],
  ])("never reach storage, journal, record, review or log by %s", async (_name, behaviour) => {
    const harness = await createHarness({ integrations: [careless(behaviour)] });
    await harness.engine.connections.create(connection);
    const runId = await harness.runOf(using);
    await harness.clock.advance(10_000);
    const reported = await everything(harness, runId);
    for (const form of forms(canary)) expect(reported).not.toContain(form);
  });

  test("never reach a record or a log in part, wherever an error is cut", async () => {
    const written = canary.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    let before = 0;
    const harness = await createHarness({
      integrations: [
        careless(() => {
          const error = new Error(`${"m".repeat(2_000 - before)}${written} was refused.`);
          error.name = `${"n".repeat(100 - before)}${written}`;
          error.stack = `Error\n    at ${"s".repeat(7_900 - before)}${written}`;
          throw error;
        }),
      ],
    });
    await harness.engine.connections.create(connection);
    await harness.publish(using);
    for (before = 0; before <= written.length; before++) {
      const reported = await everything(harness, await harness.run());
      expect(reported).toContain("mmm");
      expect(reported).not.toMatch(/[mns]{9}ca?n?a?\b|canar/);
    }
  });

  test("never reach a record in part if an action had cut the text", async () => {
    let length = 0;
    const cutting = careless(({ secrets }) => {
      const said = `The key is ${encodeURIComponent(secrets.apiKey)}`.slice(0, length);
      throw new ActionError(said, { details: { said } });
    });
    const harness = await createHarness({ integrations: [cutting] });
    await harness.engine.connections.create(connection);
    await harness.publish(using);
    for (length = 17; length < 40; length++) {
      expect(await everything(harness, await harness.run())).not.toContain("canary");
    }
  });

  test("can be redacted by an action from text that it cuts itself", async () => {
    const cutting = careless(({ redactor, secrets }) => ({ said: redactor.cut(`key=${secrets.apiKey}!`, 9) }));
    const harness = await createHarness({ integrations: [cutting] });
    await harness.engine.connections.create(connection);
    await harness.publish(using);
    expect(await harness.read(await harness.run())).toMatchObject({ output: { a: { said: "key=[reda" } } });
  });

  test("never reach the review of an invalid output, not even in the path of a violation", async () => {
    const vault = defineIntegration({
      name: "vault",
      settings: z.object({ region: z.string() }),
      secrets: z.object({ apiKey: z.string(), pin: z.string() }),
      actions: ({ defineAction }) => ({
        use: defineAction({
          description: "Uses the key.",
          input: z.looseObject({}),
          output: z.record(z.string(), z.number()),
          effect: "once",
          run: async (_args, { secrets }) => ({ [secrets.apiKey]: "text" }) as never,
        }),
      }),
    });
    const harness = await createHarness({ integrations: [vault] });
    await harness.engine.connections.create(connection);
    const runId = await harness.runOf(using);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    const reported = await everything(harness, runId);
    for (const form of forms(canary)) expect(reported).not.toContain(form);
  });

  test("and settings cannot be changed by an action for later calls", async () => {
    const seen: unknown[] = [];
    const spoiling = careless(({ settings, secrets }) => {
      seen.push({ region: settings.region, apiKey: secrets.apiKey });
      try {
        Object.assign(settings, { region: "us" });
        Object.assign(secrets, { apiKey: "stolen" });
      } catch {
        // Refusing the change is as good as ignoring it.
      }
      return {};
    });
    const harness = await createHarness({ integrations: [spoiling] });
    await harness.engine.connections.create(connection);
    await harness.publish(using);
    await harness.run();
    await harness.run();
    expect(seen).toEqual([
      { region: "eu", apiKey: canary },
      { region: "eu", apiKey: canary },
    ]);
  });

  test("are not shown when a connection is created or listed", async () => {
    const harness = await createHarness({ integrations: [careless(() => ({}))] });
    const created = await harness.engine.connections.create(connection);
    expect(created).toEqual({
      connectionId: expect.stringMatching(/^con_/) as string,
      name: "main",
      integration: "vault",
      environment: "sandbox",
      settings: { region: "eu" },
      secretNames: ["apiKey", "pin"],
      health: { status: "unknown" },
      createdBy: "alice",
      createdAtMs: harness.clock.now(),
      updatedAtMs: harness.clock.now(),
      problems: [],
    });
    const { problems: _problems, ...connectionAsShown } = created;
    const listed = async (environment: "sandbox" | "live") =>
      (await harness.engine.connections.list({ environment, limit: 10 })).items;
    expect(await listed("sandbox")).toEqual([connectionAsShown]);
    expect(await listed("live")).toEqual([]);
  });

  test("are not touched by an engine with another master key: it does not start, and writes nothing", async () => {
    const harness = await createHarness({ integrations: [careless(() => ({}))] });
    await harness.engine.connections.create(connection);
    const runId = await harness.runOf(using);
    const before = await everything(harness, runId);
    const other = await harness.addEngine({ masterKey: new Uint8Array(32).fill(8), started: false });
    const refused = { code: "invalid_configuration" };
    await expect(other.start()).rejects.toMatchObject(refused);
    const run = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
    await expect(other.runs.start(run)).rejects.toMatchObject(refused);
    await expect(other.connections.create({ ...connection, name: "two" })).rejects.toMatchObject(refused);
    const publish = other.procedures.publish({ document: procedure([]), version: "v2", by: alice });
    await expect(publish).rejects.toMatchObject(refused);
    expect(await everything(harness, runId)).toEqual(before);
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toHaveLength(1);
  });

  test("that were moved to another connection's row cannot be decrypted", async () => {
    const harness = await createHarness({ integrations: [careless(() => ({}))] });
    const one = await harness.engine.connections.create(connection);
    const two = await harness.engine.connections.create({
      ...connection,
      name: "other",
      secrets: { apiKey: "another", pin: "2" },
    });
    const row = async (id: string) => {
      const found = await harness.storage.records.get({ workspace: "default", kind: "connection", id });
      if (found === undefined) throw new Error("There is no such record.");
      return found;
    };
    const [from, to] = [await row(two.connectionId), await row(one.connectionId)];
    const secrets = (JSON.parse(from.body) as { secrets: object }).secrets;
    await harness.storage.records.put({
      record: { ...to, body: JSON.stringify({ ...JSON.parse(to.body), secrets }) },
      ifRevision: to.revision,
    });
    const runId = await harness.runOf(using).catch((error: { code: string }) => error.code);
    expect(runId).toBe("decryption_failed");
  });
});

import {
  backfilledTriggerSchema,
  createdTriggerSchema,
  firingDetailsSchema,
  firingPageSchema,
  firedTriggerSchema,
  rotatedTriggerSecretSchema,
  runPageSchema,
  triggerPageSchema,
  triggerPreviewSchema,
  triggerSchema,
  triggerTestSchema,
} from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payment } from "./bank.ts";
import {
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

let place: Place;
let server: ServerProcess;

const schedule = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
const webhook = { kind: "webhook", authentication: { scheme: "token", header: "X-Token" } };
let files = 0;

beforeAll(async () => {
  place = makePlace({ APP_URL: "https://procedo.example" });
  server = await startProcess(place);
  const file = fileWith(place, "payment.json", payment);
  await procedoJson(place, "procedures", "publish", file, "--version", "1", "--default", "sandbox");
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

function fileOf(trigger: object): string {
  return fileWith(place, `trigger-${(files += 1)}.json`, JSON.stringify(trigger));
}

async function create(name: string, given: object = {}) {
  const file = fileOf({ name, procedureId: payment.procedureId, source: schedule, input: { sum: 5 }, ...given });
  return createdTriggerSchema.parse(await procedoJson(place, "triggers", "create", file, "--environment", "sandbox"));
}

describe("procedo triggers", () => {
  test("create --json prints the contract's answer, and show finds the trigger by its name", async () => {
    const created = await create("daily");
    expect(created).toMatchObject({ name: "daily", environment: "sandbox", state: "active", createdBy: "operator" });
    expect(created.next).toHaveLength(5);
    const { secret: _, ...trigger } = created;
    expect(triggerSchema.parse(await procedoJson(place, "triggers", "show", "daily"))).toEqual(trigger);
    const { out } = await procedo(place, "triggers", "show", created.id);
    expect(out).toContain(`Trigger "daily" (${created.id}) in sandbox is active`);
    expect(out).toContain("  source: schedule 30 6 * * 1-5 in Europe/Berlin");
    expect(out.match(/^ {2}next: /gm)).toHaveLength(5);
  });

  test("create shows the secret of a webhook trigger once, on a line of its own, with the public address", async () => {
    const file = fileOf({ name: "invoices", procedureId: payment.procedureId, source: webhook, input: { sum: 5 } });
    const { code, out } = await procedo(place, "triggers", "create", file, "--environment", "sandbox");
    expect(code).toBe(0);
    const [secret = "", ...lines] = out.split("\n");
    expect(secret).toMatch(/^whsec_\S+$/);
    expect(lines.join("\n")).toMatch(/^ {2}address: https:\/\/procedo\.example\/in\/v1\/in_sandbox_[0-9a-f]{32}$/m);
    expect((await procedo(place, "triggers", "show", "invoices", "--json")).out).not.toContain("whsec_");
    const rotated = rotatedTriggerSecretSchema.parse(await procedoJson(place, "triggers", "rotate", "invoices"));
    expect(rotated.secret).not.toBe(secret);
  });

  test("create refuses a file with every fault of its form, and a trigger with every fault of its schedule", async () => {
    const formless = await procedo(
      place,
      "triggers",
      "create",
      fileOf({ name: "", source: {} }),
      "--environment",
      "live",
    );
    expect(formless.code).toBe(1);
    expect(formless.err).toContain("Error (invalid_input)");
    for (const at of ["/name", "/procedureId", "/source"]) expect(formless.err).toContain(`  ${at}`);
    const faulty = {
      name: "x",
      procedureId: payment.procedureId,
      source: { ...schedule, cron: "@daily", timeZone: "X/Y" },
    };
    const refused = await procedo(place, "triggers", "create", fileOf(faulty), "--environment", "sandbox");
    expect(refused.code).toBe(1);
    for (const at of ["/source/cron", "/source/timeZone"]) expect(refused.err).toContain(`  ${at}: `);
    expect((await procedo(place, "triggers", "create", fileOf(faulty))).code).toBe(2);
  });

  test("list shows triggers in a table, and finds them by kind and state", async () => {
    const { id } = await create("listed");
    const { out } = await procedo(place, "triggers", "list", "--kind", "schedule");
    expect(out).toMatch(
      new RegExp(`^${id}\\s+active\\s+ok\\s.*schedule 30 6 \\* \\* 1-5 in Europe/Berlin.*listed$`, "m"),
    );
    await procedo(place, "triggers", "pause", "listed");
    const paused = triggerPageSchema.parse(await procedoJson(place, "triggers", "list", "--state", "paused"));
    expect(paused.data.map((one) => one.id)).toContain(id);
    expect((await procedo(place, "triggers", "list", "--environment", "live")).out).toBe("No triggers match.\n");
    expect((await procedo(place, "triggers", "list", "--kind", "clock")).code).toBe(2);
  });

  test("fire starts a run on the running server, which names its trigger", async () => {
    const { id } = await create("fired");
    const { firingId } = firedTriggerSchema.parse(await procedoJson(place, "triggers", "fire", "fired"));
    const firing = () => procedoJson(place, "triggers", "firing", "fired", firingId);
    await expect.poll(firing).toMatchObject({ status: "started", input: { sum: 5 } });
    const { runId } = firingDetailsSchema.parse(await firing());
    const page = firingPageSchema.parse(await procedoJson(place, "triggers", "firings", id));
    expect(page.data).toMatchObject([{ id: firingId, runId, requestedBy: "operator" }]);
    const runs = runPageSchema.parse(await procedoJson(place, "runs", "list", "--trigger", id));
    expect(runs.data).toMatchObject([{ runId, trigger: { kind: "manual", triggerId: id, firingId } }]);
    expect((await procedo(place, "runs", "show", String(runId))).out).toContain(
      `Trigger: ${id} (manual), firing ${firingId}`,
    );
  });

  test("backfill fires the times of a past period, and a second one finds them accounted for", async () => {
    await create("late", { overlap: "queue" });
    const period = ["--from", "2026-03-02", "--to", "2026-03-04"];
    const first = await procedo(place, "triggers", "backfill", "late", ...period);
    expect(first.out).toBe('Trigger "late" got 2 firings; 0 were accounted for before.\n');
    const again = backfilledTriggerSchema.parse(await procedoJson(place, "triggers", "backfill", "late", ...period));
    expect(again).toEqual({ added: 0, known: 2 });
    expect((await procedo(place, "triggers", "backfill", "late")).code).toBe(2);
  });

  test("refire repeats a failed firing, and once for a key", async () => {
    await create("repeated", { source: webhook, input: { sum: "{{ int(event.sum) }}" } });
    const fire = ["triggers", "fire", "repeated", "--event", "{}"];
    const { firingId } = firedTriggerSchema.parse(await procedoJson(place, ...fire));
    const firing = () => procedoJson(place, "triggers", "firing", "repeated", firingId);
    await expect.poll(firing).toMatchObject({ status: "failed" });
    const refire = ["triggers", "refire", "repeated", firingId, "--idempotency-key", "again"];
    const refired = firedTriggerSchema.parse(await procedoJson(place, ...refire));
    expect(refired.firingId).not.toBe(firingId);
    expect(await procedoJson(place, ...refire)).toEqual(refired);
  });

  test("test says what a run would get, and ends with 1 where the mapping fails", async () => {
    await create("tested", { source: webhook, when: "event.sum > 1", input: { sum: "{{ int(event.sum) }}" } });
    const works = ["triggers", "test", "tested", "--event", '{"sum":3}'];
    expect(triggerTestSchema.parse(await procedoJson(place, ...works))).toMatchObject({
      matches: true,
      input: { sum: 3 },
    });
    const fails = await procedo(place, "triggers", "test", "tested", "--event", "{}");
    expect(fails).toMatchObject({ code: 1 });
    expect(fails.out).toContain('Trigger "tested" would start no run:');
    const neither = await procedo(place, "triggers", "test", "tested");
    expect(neither).toMatchObject({ code: 1, err: expect.stringContaining("--firing") });
  });

  test("update keeps what the file does not name, and resume ends a pause with its reason", async () => {
    const { id } = await create("changed");
    const changed = await procedoJson(place, "triggers", "update", "changed", fileOf({ overlap: "queue" }));
    expect(triggerSchema.parse(changed)).toMatchObject({ id, overlap: "queue", input: { sum: 5 }, revision: 2 });
    const paused = await procedo(place, "triggers", "pause", "changed", "--hold", "--reason", "Month end.");
    expect(paused.out).toMatch(/^ {2}paused: by operator at \S+; events are held\n {4}Month end\.$/m);
    expect((await procedo(place, "triggers", "resume", "changed")).out).toContain("in sandbox is active");
  });

  test("preview shows the next five local times", async () => {
    const argv = ["triggers", "preview", "30 6 * * 1-5", "--time-zone", "Europe/Berlin"];
    expect(triggerPreviewSchema.parse(await procedoJson(place, ...argv)).next).toHaveLength(5);
    const { out } = await procedo(place, ...argv);
    expect(out.trimEnd().split("\n")).toHaveLength(5);
    expect(out).toMatch(/^\d{4}-\d\d-\d\dT06:30:00\+0[12]:00$/m);
    const within = await procedo(place, ...argv, "--starts-at", "2099-01-01", "--ends-at", "2099-01-03");
    expect(within.out).toBe("2099-01-01T06:30:00+01:00\n2099-01-02T06:30:00+01:00\n");
  });

  test("delete removes the trigger", async () => {
    await create("doomed");
    expect(await procedoJson(place, "triggers", "delete", "doomed")).toEqual({ success: true });
    const { code, err } = await procedo(place, "triggers", "show", "doomed");
    expect(code).toBe(1);
    expect(err).toBe('Error (trigger_not_found): There is no trigger "doomed" in sandbox. See triggers list.\n');
  });
});

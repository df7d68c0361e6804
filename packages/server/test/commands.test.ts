import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  apiKeyPageSchema,
  createdApiKeySchema,
  publishedVersionSchema,
  reviewPageSchema,
  reviewSchema,
  runPageSchema,
  type CreatedApiKey,
} from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approval, payment } from "./bank.ts";
import {
  call,
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

beforeAll(async () => {
  place = makePlace();
  server = await startProcess(place);
  for (const document of [payment, approval]) {
    const file = fileWith(place, `${document.procedureId}.json`, document);
    await procedoJson(place, "procedures", "publish", file, "--version", "1", "--default", "sandbox");
  }
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

const created = () => procedoJson<CreatedApiKey>(place, "keys", "create", "--name", "test", "--environment", "sandbox");

describe("keys", () => {
  test("create --json prints the contract's response, and the running server accepts the key", async () => {
    const key = createdApiKeySchema.parse(await created());
    expect(key).toMatchObject({ name: "test", environment: "sandbox", permissions: ["run", "manage"] });
    expect(key.key.startsWith("rsk_sandbox_")).toBe(true);
    expect(await call(`${server.url}/api/v1/procedures`, key.key)).toMatchObject({ status: 200 });
  });

  test("create without --json shows the key once, on a line of its own", async () => {
    const argv = ["--name", "ben's", "--environment", "live", "--permissions", "review", "--person", "ben"];
    const { code, out } = await procedo(place, "keys", "create", ...argv);
    expect(code).toBe(0);
    expect(out).toMatch(/^rsk_live_\S+\nKey "ben's" \(key_\S+\) of ben in live\. It is not shown again\.\n$/);
    const list = await procedo(place, "keys", "list");
    expect(list.out).toMatch(/live\s+review\s+reviewer\s+ben\s/);
    expect(list.out).not.toContain(out.split("\n")[0]);
  });

  test("create --roles makes a key that decides in these roles, and list shows them", async () => {
    const argv = [
      "--name",
      "tina",
      "--environment",
      "sandbox",
      "--permissions",
      "review",
      "--person",
      "Tina@Example.com",
    ];
    const key = createdApiKeySchema.parse(
      await procedoJson(place, "keys", "create", ...argv, "--roles", "treasury, Audit"),
    );
    expect(key.roles).toEqual(["reviewer", "treasury", "audit"]);
    const list = await procedo(place, "keys", "list");
    expect(list.out).toMatch(/review\s+reviewer,treasury,audit\s+tina@example\.com\s/);
    const useless = await procedo(
      place,
      "keys",
      "create",
      "--name",
      "x",
      "--environment",
      "sandbox",
      "--roles",
      "treasury",
    );
    expect(useless.code).not.toBe(0);
    expect(useless.err).toContain('the permission "review"');
  });

  test("list --json is a page of the contract without raw keys", async () => {
    const { key } = await created();
    const page = await procedoJson(place, "keys", "list");
    expect(apiKeyPageSchema.parse(page).data.length).toBeGreaterThan(0);
    expect(JSON.stringify(page)).not.toContain(key);
  });

  test("a list continues after the last page", async () => {
    await created();
    await created();
    const first = apiKeyPageSchema.parse(await procedoJson(place, "keys", "list", "--limit", "1"));
    const next = ["--limit", "1", "--cursor", String(first.nextCursor)];
    const second = apiKeyPageSchema.parse(await procedoJson(place, "keys", "list", ...next));
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
    expect((await procedo(place, "keys", "list", "--limit", "1")).out).toContain(`--cursor ${first.nextCursor}`);
  });

  test("delete ends the key in the running server", async () => {
    const { id, key } = await created();
    expect(await call(`${server.url}/api/v1/procedures`, key)).toMatchObject({ status: 200 });
    expect(await procedoJson(place, "keys", "delete", id)).toEqual({ success: true });
    await expect.poll(() => call(`${server.url}/api/v1/procedures`, key)).toMatchObject({ status: 401 });
  });

  test("deleting an unknown key reports its code", async () => {
    const { code, err } = await procedo(place, "keys", "delete", "key_unknown");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Error (api_key_not_found): ") });
  });
});

describe("procedures", () => {
  test("validate reports every problem with its place, and needs no data folder", async () => {
    const broken = { ...payment, edges: [{ from: "start", to: "nowhere" }] };
    const nowhere = { ...place, env: { ...place.env, PROCEDO_DATA_DIR: join(place.folder, "nothing-here") } };
    const { code, out } = await procedo(nowhere, "procedures", "validate", fileWith(place, "broken.json", broken));
    expect(code).toBe(1);
    expect(out).toMatch(/^\S+broken\.json:1:\d+: error: .+$/m);
    expect(existsSync(nowhere.env["PROCEDO_DATA_DIR"])).toBe(false);
    const good = await procedo(nowhere, "procedures", "validate", fileWith(place, "good.json", payment));
    expect(good).toMatchObject({ code: 0, out: "No problems.\n" });
  });

  test("validate prints a warning for a value that may be left out, with its place", async () => {
    const document = {
      ...{ schemaVersion: 1, procedureId: "optional", name: "Optional" },
      input: { type: "object", properties: { limit: { type: "integer" } } },
      nodes: [
        { id: "start", kind: "start" },
        { id: "done", kind: "end", output: { limit: "{{ input.limit }}" } },
      ],
      edges: [{ from: "start", to: "done" }],
    };
    const { code, out } = await procedo(place, "procedures", "validate", fileWith(place, "optional.json", document));
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+optional\.json:1:\d+: warning: input\.limit may be left out.* Write input\.\?limit/m);
  });

  test("validate with an environment finds the connections that it lacks", async () => {
    const nodes = payment.nodes.map((node) => ("connection" in node ? { ...node, connection: "elsewhere" } : node));
    const file = fileWith(place, "elsewhere.json", { ...payment, nodes });
    expect(await procedo(place, "procedures", "validate", file)).toMatchObject({ code: 0 });
    const checked = await procedo(place, "procedures", "validate", file, "--environment", "live", "--json");
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.out)).toMatchObject({ problems: [{ severity: "error" }] });
  });

  test("publish --json is the contract's response; repetition changes nothing, another document is rejected", async () => {
    const file = fileWith(place, "again.json", { ...payment, procedureId: "again" });
    const publish = ["procedures", "publish", file, "--version", "1", "--default", "live"];
    expect(publishedVersionSchema.parse(await procedoJson(place, ...publish))).toMatchObject({ version: "1" });
    expect((await procedo(place, ...publish)).out).toContain("was already published");
    fileWith(place, "again.json", { ...payment, procedureId: "again", name: "Another" });
    const refused = await procedo(place, ...publish);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("version_exists") });
  });

  test("publish rejects a document by lines and columns, for syntax errors and for other problems", async () => {
    const publish = async (text: string) => {
      const file = fileWith(place, "refused.json", text);
      const { code, err } = await procedo(place, "procedures", "publish", file, "--version", "1");
      return { code, reported: err.replaceAll(file, "FILE") };
    };
    const text = JSON.stringify({ ...payment, procedureId: "refused", name: "" }, undefined, 2);
    const alone = await publish(text);
    expect(alone).toMatchObject({
      code: 1,
      reported: expect.stringContaining('  FILE:4:3: "name" must not be empty.'),
    });
    const both = await publish(text.replace('"name": ""', "'name': ''"));
    expect(both.reported).toContain("FILE:4:3: Text must be in double quotes");
    expect(both.reported).toContain('FILE:4:3: "name" must not be empty.');
  });

  test("list --json is a page of procedures with their defaults, without the numbers of an environment", async () => {
    const { data } = await procedoJson<{ readonly data: readonly object[] }>(place, "procedures", "list");
    expect(data).toContainEqual({ procedureId: "payment", name: "Payment", defaults: { sandbox: "1" } });
    expect((await procedo(place, "procedures", "list")).out).toMatch(/^payment\s+1\s+Payment$/m);
  });
});

describe("procedures graph", () => {
  test("prints a flowchart of a file, of standard input, and of a published version", async () => {
    const file = fileWith(place, "chart.json", payment);
    const { code, out } = await procedo(place, "procedures", "graph", file);
    expect(code).toBe(0);
    expect(out).toMatch(/^flowchart TD\n {2}n0\(\["start"\]\)\n/);
    expect((await procedo({ ...place, stdin: JSON.stringify(payment) }, "procedures", "graph", "-")).out).toBe(out);
    expect((await procedo(place, "procedures", "graph", "payment")).out).toBe(out);
    expect((await procedo(place, "procedures", "graph", "payment", "--version", "1")).out).toBe(out);
  });

  test("rejects a malformed document by line and column, and a name that is neither a file nor a procedure", async () => {
    const file = fileWith(place, "chart.json", { ...payment, nodes: 5 });
    const refused = await procedo(place, "procedures", "graph", file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/chart\.json:1:\d+: "nodes" must be a list/) });
    expect(await procedo(place, "procedures", "graph", "nowhere")).toMatchObject({
      code: 1,
      err: expect.stringContaining("procedure_not_found"),
    });
    expect((await procedo(place, "procedures", "graph")).err).toContain("Give either a document or --run");
  });

  test("--run marks the path of a run and the step where it waits", async () => {
    const { runId } = await procedoJson<{ runId: string }>(place, "run", "payment", "--data", '{"sum":7}', "--wait");
    const { out } = await procedo(place, "procedures", "graph", "--run", runId);
    expect(out).toContain('n0(["start"]):::completed');
    expect(out).toMatch(/linkStyle 0,1/);
    const argv = ["run", "approval", "--data", '{"sum":7}', "--wait", "--json"];
    const waiting = JSON.parse((await procedo(place, ...argv)).out) as { readonly runId: string };
    expect((await procedo(place, "procedures", "graph", "--run", waiting.runId)).out).toContain(":::awaiting_review");
  });
});

describe("runs", () => {
  test("run --wait returns the output of a run that the server executed", async () => {
    const { code, out } = await procedo(place, "run", "payment", "--data", '{"sum":1250}', "--wait");
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('completed: {"receipt":"Paid 1250 cents."}'),
    });
  });

  test("run without --wait returns immediately; the same idempotency key returns the same run", async () => {
    const argv = [
      "run",
      "payment",
      "--data-file",
      fileWith(place, "data.json", { sum: 1 }),
      "--idempotency-key",
      "once",
    ];
    const first = await procedoJson(place, ...argv);
    expect(first).toMatchObject({ status: "running" });
    expect(await procedoJson(place, ...argv)).toEqual(first);
  });

  test("run rejects a number that would lose digits, and data that does not match the schema", async () => {
    const inexact = await procedo(place, "run", "payment", "--data", '{"sum":9007199254740993}');
    expect(inexact).toMatchObject({ code: 1, err: expect.stringContaining("/sum") });
    const misfit = await procedo(place, "run", "payment", "--data", '{"sum":"much"}');
    expect(misfit).toMatchObject({ code: 1, err: expect.stringMatching(/invalid_input.*\n {2}\/.*sum/) });
  });

  test("show prints each step with its exact input and output, its attempts and keys", async () => {
    const { runId } = await procedoJson<{ runId: string }>(place, "run", "payment", "--data", '{"sum":7}', "--wait");
    const { out } = await procedo(place, "runs", "show", runId);
    for (const part of [`Run ${runId} of payment, version 1, in sandbox`, "Started by operator", '{"sum":7}']) {
      expect(out).toContain(part);
    }
    expect(out).toMatch(/attempt 1 at \S+: bank\.pay → ok/);
    const key = /idempotency key (\S+)/.exec(out)?.[1] ?? "";
    expect(readFileSync(place.env["BANK_BOOKS"] ?? "", "utf8")).toContain(`${key} 7\n`);
    expect(await procedoJson(place, "runs", "show", runId)).toMatchObject({ runId, status: "completed" });
  });

  test("list --json is a page of the contract; --status and --procedure narrow it", async () => {
    await procedo(place, "run", "approval", "--data", '{"sum":1}', "--wait");
    const argv = ["runs", "list", "--status", "awaiting_review", "--procedure", "approval"];
    const { data } = runPageSchema.parse(await procedoJson(place, ...argv));
    expect(new Set(data.map(({ status, procedureId }) => `${status} ${procedureId}`))).toEqual(
      new Set(["awaiting_review approval"]),
    );
  });

  test("list and show name the reference of a run", async () => {
    const started = await procedo(place, "run", "approval", "--data", '{"sum":12}', "--wait", "--json");
    const { runId } = JSON.parse(started.out) as { readonly runId: string };
    expect((await procedo(place, "runs", "show", runId)).out).toContain("\nReference: Sum 12\n");
    const { out } = await procedo(place, "runs", "list", "--procedure", "approval");
    expect(out).toMatch(/^ID +REFERENCE +STATUS +PROCEDURE/);
    expect(out).toContain(`${runId}  Sum 12 `);
    for (const text of ["Sum 12", runId]) {
      const found = runPageSchema.parse(await procedoJson(place, "runs", "list", "--search", text));
      expect(found.data).toMatchObject([{ runId, reference: "Sum 12" }]);
      const asked = reviewPageSchema.parse(await procedoJson(place, "reviews", "list", "--search", text));
      expect(asked.data).toMatchObject([{ runId, reference: "Sum 12" }]);
    }
    expect((await procedo(place, "runs", "list", "--search", "um 12")).out).toBe("No runs match.\n");
    expect((await procedo(place, "reviews", "list")).out).toContain(`${runId}  Sum 12 `);
  });

  test("an unknown run reports a code and exits with 1", async () => {
    const { code, err } = await procedo(place, "runs", "show", "run_unknown");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Error (run_not_found): ") });
  });
});

describe("reviews", () => {
  const ask = async () => {
    const argv = ["run", "approval", "--data", '{"sum":99}', "--wait", "--person", "ana", "--json"];
    const { code, out } = await procedo(place, ...argv);
    const { runId } = JSON.parse(out) as { readonly runId: string };
    expect(code).toBe(3);
    const { data } = reviewPageSchema.parse(await procedoJson(place, "reviews", "list", "--limit", "100"));
    return { runId, reviewId: data.find((review) => review.runId === runId)?.reviewId ?? "" };
  };

  test("an approval resumes the run, and its record names the reviewer", async () => {
    const { runId, reviewId } = await ask();
    const shown = await procedo(place, "reviews", "show", reviewId);
    expect(shown.out).toContain('Sends: bank.pay {"sum":99}');
    expect(reviewSchema.parse(await procedoJson(place, "reviews", "show", reviewId))).toMatchObject({
      mayDecide: { allowed: false },
      call: { connection: "bank", action: "pay", arguments: { sum: 99 } },
    });
    expect(shown.out).toContain("\nReference: Sum 99\n");
    const { out } = await procedo(place, "reviews", "decide", reviewId, "--approve", "--person", "ben");
    expect(out).toBe(`Review ${reviewId} is approved.\n`);
    await expect.poll(async () => (await procedo(place, "runs", "show", runId)).out).toContain("= completed");
    expect((await procedo(place, "runs", "show", runId)).out).toContain("approved by ben (command) at ");
  });

  test("a rejection fails the run with its reason", async () => {
    const { runId, reviewId } = await ask();
    await procedoJson(place, "reviews", "decide", reviewId, "--reject", "Not today.", "--person", "ben");
    await expect.poll(async () => (await procedo(place, "runs", "show", runId)).out).toContain("Not today.");
  });

  test("the review rules also bind the operator's command: not the starter, not without the role, not another digest", async () => {
    const { reviewId } = await ask();
    const decide = ["reviews", "decide", reviewId, "--approve"];
    expect((await procedo(place, ...decide, "--person", "ana")).err).toContain("permission_denied");
    expect((await procedo(place, ...decide, "--person", "ben", "--roles", "clerk")).err).toContain("permission_denied");
    const unseen = await procedo(place, ...decide, "--person", "ben", "--digest", "something-else");
    expect(unseen.err).toContain("review_digest_mismatch");
    expect((await procedo(place, ...decide, "--reject", "both", "--person", "ben")).err).toContain(
      "Give either --approve or",
    );
  });
});

describe("audit", () => {
  test("verify reads the whole workspace beside the running server", async () => {
    const { code, out } = await procedo(place, "audit", "verify");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("All records are unchanged.") });
  });

  test("an export is verified offline with the public key; a modified one is not valid", async () => {
    const { runId } = await procedoJson<{ runId: string }>(place, "run", "payment", "--data", '{"sum":3}', "--wait");
    const exported = await procedo(place, "audit", "export", runId);
    const publicKey = fileWith(place, "public.json", (await procedo(place, "audit", "public-key")).out);
    const elsewhere = { ...place, env: { PROCEDO_DATA_DIR: join(place.folder, "nothing-here") } };
    const verify = (file: string) => procedo(elsewhere, "audit", "verify", file, "--public-key", publicKey);

    const valid = await verify(fileWith(place, "export.json", exported.out));
    expect({ ...valid }).toMatchObject({ code: 0, out: expect.stringContaining(`Valid: run ${runId}`) });
    const changed = exported.out.replace("Paid 3 cents.", "Paid 4 cents.");
    expect(changed).not.toBe(exported.out);
    const invalid = await verify(fileWith(place, "changed.json", changed));
    expect({ ...invalid }).toMatchObject({ code: 1, out: expect.stringContaining("NOT valid") });
  });
});

describe("wrong arguments", () => {
  test.each([
    [["keys", "create", "--environment", "sandbox"], "--name"],
    [["keys", "create", "--name", "n"], "--environment"],
    [["keys", "create", "--name", "n", "--environment", "prod"], "sandbox, live"],
    [["keys", "create", "--name", "n", "--environment", "live", "--permissions", "all"], "run,manage,review"],
    [["keys", "list", "--limit", "101"], "1 to 100"],
    [["runs", "list", "--status", "done"], "awaiting_review"],
    [["runs", "list", "extra"], "too many arguments"],
    [["unknown"], "unknown command"],
  ])("%j exit with code 2 and list the allowed values", async (argv, says) => {
    const { code, err, out } = await procedo(place, ...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
  });

  test("--help exits without an error", async () => {
    expect(await procedo(place, "--help")).toMatchObject({ code: 0, out: expect.stringContaining("Commands:") });
  });

  test("every command that needs a setting reports an invalid one", async () => {
    const wrong = { ...place, env: { ...place.env, PROCEDO_LOG_LEVEL: "loud" } };
    const { code, err } = await procedo(wrong, "keys", "list");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("PROCEDO_LOG_LEVEL") });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

/** The same payment, with a review above 100. */
const reviewed = {
  ...payment,
  nodes: [
    ...payment.nodes,
    { id: "size", kind: "condition", branches: [{ name: "large", when: "input.sum > 100" }], otherwise: "small" },
    { id: "ask", kind: "human_review", title: "Pay {{ input.sum }}?" },
  ],
  edges: [
    { from: "start", to: "size" },
    { from: "size", branch: "large", to: "ask" },
    { from: "size", branch: "small", to: "pay" },
    { from: "ask", to: "pay" },
    { from: "pay", to: "end" },
  ],
};

let place: Place;
let server: ServerProcess;
let books: string;

beforeAll(async () => {
  place = makePlace();
  server = await startProcess(place);
  const publish = async (document: object, version: string, ...more: readonly string[]) => {
    const file = fileWith(place, `${version}.json`, document);
    await procedoJson(place, "procedures", "publish", file, "--version", version, ...more);
  };
  await publish(payment, "1", "--default", "sandbox");
  await publish(reviewed, "2");
  for (const sum of [50, 100, 150]) {
    expect((await procedo(place, "run", "payment", "--data", `{"sum":${sum}}`, "--wait")).code).toBe(0);
  }
  books = readFileSync(join(place.folder, "books"), "utf8");
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

const backtest = (...argv: readonly string[]) => procedo(place, "backtest", "payment", ...argv);

test("the same version makes the same decisions and exits with 0", async () => {
  const { code, out } = await backtest("--version", "1");
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^3 runs of "payment" replayed with "1" in \d+\.\d s \(\d+ per second\): 3 the same, 0 changed, 0 diverged from the record\.\n\d+ decisions were replayed\. Nothing was called, written or sent\.\n$/,
    ),
  });
});

test("different decisions of a version are listed by run and in total, and the command exits with 1", async () => {
  const { code, out } = await backtest("--version", "2");
  expect(code).toBe(1);
  expect(out).toMatch(/^RUN +STARTED +WAS +WOULD BE +CHANGE$/m);
  expect(out).toMatch(
    /^run_\S+ +\S+Z +completed +completed +"start" leads to "size" instead of "pay": start > size > pay > end instead of start > pay > end$/m,
  );
  expect(out).toMatch(/^run_\S+ +\S+Z +completed +not known +"start" leads to "size"/m);
  expect(out).toMatch(/^ +a review is needed at "ask" \(human_review\): "Pay 150\?"$/m);
  expect(out).toMatch(/^CHANGE +RUNS$/m);
  expect(out).toMatch(/^"start" leads to "size" instead of "pay" +3$/m);
  expect(out).toContain("0 the same, 2 changed, 1 diverged from the record.");
  expect((await backtest("--version", "2", "--allow-changes")).code).toBe(0);
  expect((await backtest("--version", "2", "--assume-approved")).out).toContain(
    "3 changed, 0 diverged from the record.",
  );
  expect((await backtest("--version", "2", "--show", "1")).out).toContain("… and 2 runs more: --show 3");
});

test("an unpublished document is replayed; an invalid one is rejected with every problem", async () => {
  const file = fileWith(place, "draft.json", { ...payment, name: "Another name" });
  expect(await backtest("--document", file)).toMatchObject({ code: 0, out: expect.stringContaining("3 the same") });
  const nodes = payment.nodes.map((node) =>
    node.id === "pay" ? { ...node, instructions: "Pay.", arguments: {} } : node,
  );
  const asking = fileWith(place, "asking.json", { ...payment, nodes });
  expect((await backtest("--document", asking)).out).toContain("0 the same, 0 changed, 3 diverged from the record.");
  const anew = await backtest("--document", asking, "--models", "fresh");
  expect(anew).toMatchObject({
    code: 1,
    err: expect.stringContaining('(invalid_configuration): Node "pay" needs a language model'),
  });
  const broken = fileWith(place, "broken.json", { ...payment, edges: [{ from: "start", to: "nowhere" }] });
  expect(await backtest("--document", broken)).toMatchObject({
    code: 1,
    err: expect.stringContaining("(invalid_document)"),
  });
});

test("--json prints the whole report", async () => {
  const { code, out } = await backtest("--version", "2", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ...{ procedureId: "payment", version: "2", runs: 3, same: 0, changed: 2, diverged: 1, seconds: expect.any(Number) },
    changes: [{ verdict: "changed" }, { verdict: "changed" }, { verdict: "diverged" }],
  });
});

test("--runs filters by status, version and time, and limits the number", async () => {
  const tried = async (filter: string) => (await backtest("--version", "1", "--runs", filter)).out.split("\n")[0];
  expect(await tried("status=completed,version=1,limit=2")).toContain("2 runs");
  expect(await tried("status=failed")).toBe('No runs of "payment" match.');
  const [hourAgo, inAnHour] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  expect(await tried(`from=${hourAgo},to=${inAnHour}`)).toContain("3 runs");
  expect(await tried("to=2020-01-01")).toBe('No runs of "payment" match.');
});

test.each([
  [["--version", "1", "--runs", "state=failed"], 2, '"state=failed" is not a filter'],
  [["--version", "1", "--runs", "status=over"], 2, '"over" is not a status'],
  [["--version", "1", "--runs", "from=yesterday"], 2, '"yesterday" is not a date'],
  [["--version", "1", "--runs", "limit=many"], 2, "Give a whole number"],
  [["--version", "1", "--models", "other"], 2, "recorded, fresh"],
  [[], 1, "Give either --version or --document."],
  [["--version", "9"], 1, "(version_not_found)"],
])("%j is refused", async (argv, code, message) => {
  const refused = await backtest(...argv);
  expect(refused.code).toBe(code);
  expect(refused.err).toContain(message);
});

test("no backtest called the bank", () => {
  expect(readFileSync(join(place.folder, "books"), "utf8")).toBe(books);
});

import type { Permission } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";

const treasury = procedure([review("r", { reviewers: { roles: ["Treasury"] } })]);

async function keyOf(
  bench: Bench,
  person: string,
  roles: readonly string[] = [],
  permissions: readonly Permission[] = ["review"],
): Promise<void> {
  await bench.engine.keys.create({ name: person, environment: "sandbox", person, roles, permissions, by: alice });
}

async function warnings(bench: Bench, document: ReturnType<typeof procedure>, environments = ["sandbox" as const]) {
  const problems = await bench.engine.procedures.validate({ document, environments });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return problems.map(({ path, message }) => `${path} ${message}`);
}

describe("publishing tells of a review that no API key can decide", () => {
  test("by the role that no key has, with the command that makes one, until there is one", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    const { problems } = await bench.engine.procedures.publish({ document: treasury, version: "v1", by: alice });
    expect(problems).toEqual([
      {
        severity: "warning",
        path: "/nodes/1/reviewers/roles/0",
        code: "reviewers",
        nodeId: "r",
        message:
          'No API key of sandbox has the role "Treasury" of "r". Create one: ' +
          "procedo keys create --name NAME --environment sandbox --permissions review --roles Treasury --person PERSON",
      },
    ]);
    await keyOf(bench, "tina", ["treasury"]);
    expect(await warnings(bench, treasury)).toEqual([]);
  });

  test("in the same round as errors, also of the document's shape, unless the name itself is wrong", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    const named = review("s", { reviewers: { roles: ["Treasury", "  "] } });
    const faulty = { ...procedure([review("r", { reviewers: { roles: ["Treasury"] } }), named]), colour: "red" };
    const problems = await bench.engine.procedures.validate({ document: faulty, environments: ["sandbox"] });
    expect(problems.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      "error /nodes/2/reviewers/roles/1",
      "error /colour",
      "warning /nodes/1/reviewers/roles/0",
      "warning /nodes/2/reviewers/roles/0",
    ]);
  });

  test("also where a version becomes the default", async () => {
    const bench = await createBench();
    await keyOf(bench, "tina", ["treasury"]);
    await bench.publish(treasury);
    const set = { procedureId: "p", version: "v1", by: alice } as const;
    expect(await bench.engine.procedures.setDefault({ ...set, environment: "sandbox" })).toEqual({ problems: [] });
    const { problems } = await bench.engine.procedures.setDefault({ ...set, environment: "live" });
    expect(problems).toMatchObject([
      { path: "/nodes/1/reviewers/roles/0", message: expect.stringContaining("live") as string },
    ]);
  });

  test("of a version that is no default only when neither environment has the key", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    expect(await warnings(bench, treasury, [])).toHaveLength(2);
    await keyOf(bench, "tina", ["treasury"]);
    expect(await warnings(bench, treasury, [])).toEqual([]);
  });

  test("by the person of whom there is no key with the permission to review", async () => {
    const bench = await createBench();
    await keyOf(bench, "cfo@example.com", [], ["run"]);
    const named = procedure([review("r", { reviewers: { people: ["CFO@example.com"] } })]);
    expect(await warnings(bench, named)).toEqual([
      expect.stringMatching(/^\/nodes\/1\/reviewers\/people\/0 .* --person CFO@example\.com$/),
    ]);
    await keyOf(bench, "cfo@example.com");
    expect(await warnings(bench, named)).toEqual([]);
  });

  test("by the number of people whose keys can approve, however many keys they have", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    await keyOf(bench, "Rita");
    const two = procedure([review("r", { approvals: 2 })]);
    expect(await warnings(bench, two)).toEqual([
      expect.stringContaining('/nodes/1/approvals "r" needs 2 approvals, and one person has'),
    ]);
    await keyOf(bench, "ben");
    expect(await warnings(bench, two)).toEqual([]);
  });

  test("of what a call asks, where it says who answers", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    const asking = procedure([call("a", "once", { review: { reviewers: { roles: ["treasury"] } } })]);
    expect(await warnings(bench, asking)).toEqual([expect.stringMatching(/^\/nodes\/1\/review\/reviewers\/roles\/0 /)]);
  });

  test("not where the workspace has no keys: its people come from the code that embeds the engine", async () => {
    const bench = await createBench();
    expect(await warnings(bench, treasury)).toEqual([]);
  });

  test("not where it has more than 1,000 keys, of which no more than that are read", async () => {
    const bench = await createBench();
    for (let number = 0; number < 1_001; number++) await keyOf(bench, `person-${number}`);
    const pages = pagesOfKeys(bench);
    expect(await warnings(bench, treasury)).toEqual([]);
    expect(pages()).toBe(10);
  });

  test("without reading a key where no person is asked", async () => {
    const bench = await createBench();
    await keyOf(bench, "rita");
    const pages = pagesOfKeys(bench);
    expect(await warnings(bench, procedure([call("a", "once")]))).toEqual([]);
    expect(pages()).toBe(0);
  });
});

/** How many pages of keys the engine reads from here on. */
function pagesOfKeys({ engine }: Bench): () => number {
  let pages = 0;
  engine.way.on("records.list", async (work, request) => {
    if ((request as { readonly kind: string }).kind === "api_key") pages += 1;
    return await work();
  });
  return () => pages;
}

import type { Permission } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { join, operator } from "./people-harness.ts";

const treasury = procedure([review("r", { reviewers: { roles: ["Treasury"] } })]);

async function keyOf(
  harness: Harness,
  person: string,
  roles: readonly string[] = [],
  permissions: readonly Permission[] = ["review"],
): Promise<void> {
  await harness.engine.keys.create({ name: person, environment: "sandbox", person, roles, permissions, by: alice });
}

async function warnings(harness: Harness, document: ReturnType<typeof procedure>, environments = ["sandbox" as const]) {
  const problems = await harness.engine.procedures.validate({ document, environments });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return problems.map(({ path, message }) => `${path} ${message}`);
}

describe("publishing warns of a review that no account or API key can decide", () => {
  test("by a role without a key, with the key that would decide it, until there is one", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    const { problems } = await harness.engine.procedures.publish({ document: treasury, version: "v1", by: alice });
    expect(problems).toEqual([
      {
        severity: "warning",
        path: "/nodes/1/reviewers/roles/0",
        code: "reviewers",
        nodeId: "r",
        message:
          'No reviewer of sandbox has the role "Treasury" of "r". Invite a person, or create an API key of sandbox with ' +
          'the permission "review" and the role "Treasury".',
      },
    ]);
    await keyOf(harness, "tina", ["treasury"]);
    expect(await warnings(harness, treasury)).toEqual([]);
  });

  test("until a person with an account can decide it, and again once they are deactivated", async () => {
    const harness = await createHarness();
    const { people } = harness.engine;
    expect(await warnings(harness, treasury)).toEqual([]);
    const { personId } = await join(harness.engine, "tina@example.com", { sandbox: ["reviewer"] });
    expect(await warnings(harness, treasury)).toHaveLength(1);
    await people.update({ personId, groups: ["treasury"], by: operator });
    expect(await warnings(harness, treasury)).toEqual([]);
    await people.update({ personId, access: { sandbox: ["builder"], live: ["reviewer"] }, by: operator });
    expect(await warnings(harness, treasury)).toHaveLength(1);
    await people.update({ personId, access: { sandbox: ["reviewer"] }, by: operator });
    await people.deactivate({ personId, by: operator });
    expect(await warnings(harness, treasury)).toHaveLength(1);
  });

  test("in the same response as errors, also in the document's shape, unless the name itself is invalid", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    const named = review("s", { reviewers: { roles: ["Treasury", "  "] } });
    const faulty = { ...procedure([review("r", { reviewers: { roles: ["Treasury"] } }), named]), colour: "red" };
    const problems = await harness.engine.procedures.validate({ document: faulty, environments: ["sandbox"] });
    expect(problems.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      "error /nodes/2/reviewers/roles/1",
      "error /colour",
      "warning /nodes/1/reviewers/roles/0",
      "warning /nodes/2/reviewers/roles/0",
    ]);
  });

  test("also when a version becomes the default", async () => {
    const harness = await createHarness();
    await keyOf(harness, "tina", ["treasury"]);
    await harness.publish(treasury);
    const set = { procedureId: "p", version: "v1", by: alice } as const;
    expect(await harness.engine.procedures.setDefault({ ...set, environment: "sandbox" })).toEqual({ problems: [] });
    const { problems } = await harness.engine.procedures.setDefault({ ...set, environment: "live" });
    expect(problems).toMatchObject([
      { path: "/nodes/1/reviewers/roles/0", message: expect.stringContaining("live") as string },
    ]);
  });

  test("for a version that is not the default, only if neither environment has the key", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    expect(await warnings(harness, treasury, [])).toHaveLength(2);
    await keyOf(harness, "tina", ["treasury"]);
    expect(await warnings(harness, treasury, [])).toEqual([]);
  });

  test("by a person without a key that has the permission to review", async () => {
    const harness = await createHarness();
    await keyOf(harness, "cfo@example.com", [], ["run"]);
    const named = procedure([review("r", { reviewers: { people: ["CFO@example.com"] } })]);
    expect(await warnings(harness, named)).toEqual([
      expect.stringMatching(/^\/nodes\/1\/reviewers\/people\/0 .* that acts as "CFO@example\.com"\.$/),
    ]);
    await keyOf(harness, "cfo@example.com");
    expect(await warnings(harness, named)).toEqual([]);
  });

  test("by the number of people whose keys can approve, regardless of the number of keys", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    await keyOf(harness, "Rita");
    const two = procedure([review("r", { approvals: 2 })]);
    expect(await warnings(harness, two)).toEqual([
      expect.stringContaining('/nodes/1/approvals "r" needs 2 approvals, and one person has'),
    ]);
    await keyOf(harness, "ben");
    expect(await warnings(harness, two)).toEqual([]);
  });

  test("for the reviews of a call that names its reviewers", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    const asking = procedure([call("a", "once", { review: { reviewers: { roles: ["treasury"] } } })]);
    expect(await warnings(harness, asking)).toEqual([
      expect.stringMatching(/^\/nodes\/1\/review\/reviewers\/roles\/0 /),
    ]);
  });

  test("but not if the workspace has no keys: its people come from the embedding application", async () => {
    const harness = await createHarness();
    expect(await warnings(harness, treasury)).toEqual([]);
  });

  test("but not if it has more than 1,000 keys, and reads no more than those", async () => {
    const harness = await createHarness();
    for (let number = 0; number < 1_001; number++) await keyOf(harness, `person-${number}`);
    const pages = pagesOfKeys(harness);
    expect(await warnings(harness, treasury)).toEqual([]);
    expect(pages()).toBe(10);
  });

  test("without reading a key if no review is needed", async () => {
    const harness = await createHarness();
    await keyOf(harness, "rita");
    const pages = pagesOfKeys(harness);
    expect(await warnings(harness, procedure([call("a", "once")]))).toEqual([]);
    expect(pages()).toBe(0);
  });
});

/** Counts the pages of keys that the engine reads from now on. */
function pagesOfKeys({ engine }: Harness): () => number {
  let pages = 0;
  engine.way.on("records.list", async (work, request) => {
    if ((request as { readonly kind: string }).kind === "api_key") pages += 1;
    return await work();
  });
  return () => pages;
}

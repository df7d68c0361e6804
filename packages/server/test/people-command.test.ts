import { createdApiKeySchema, personPageSchema, type CreatedApiKey } from "@procedo/contract";
import type { Person } from "@procedo/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../src/observe/log.ts";
import { openToServe } from "../src/open-data.ts";
import { readSettings } from "../src/settings/settings.ts";
import { makePlace, procedo, procedoJson, startProcess, withEngine, type Place } from "./server-process.ts";

let place: Place;
beforeEach(async () => {
  place = makePlace({ APP_URL: "https://procedo.example.com" });
  // Commands work on the data of a server that was started once.
  const { storage } = await openToServe(readSettings(place.env), createLog("silent"));
  await storage.close();
});
afterEach(() => place.remove());

const password = "four eyes see more";

interface Invited {
  readonly invitationId: string;
  readonly link: string;
  readonly expiresAt: string;
}

const linkForm = /^https:\/\/procedo\.example\.com\/dashboard\/invitation#(inv_[A-Za-z0-9_-]{43})$/;

async function accept(link: string, email?: string): Promise<Person> {
  let person: Person | undefined;
  await withEngine(place, async ({ people }) => {
    const token = link.split("#")[1] ?? "";
    person = await people.accept({ token, name: "Ana", password, ...(email !== undefined && { email }) });
  });
  return person ?? expect.unreachable();
}

async function join(email: string, access: string): Promise<void> {
  const { link } = await procedoJson<Invited>(place, "people", "invite", "--email", email, "--access", access);
  await accept(link);
}

const createKey = (...flags: readonly string[]) =>
  procedo(place, "keys", "create", "--name", "k", "--environment", "live", ...flags);

describe("people invite", () => {
  test("prints a link that is valid once", async () => {
    const argv = ["--email", "Ana@Example.com", "--access", "live=reviewer, live=builder,sandbox=owner"];
    const invited = await procedoJson<Invited>(place, "people", "invite", ...argv, "--groups", "Treasury, audit");
    expect(Object.keys(invited).sort()).toEqual(["expiresAt", "invitationId", "link"]);
    expect(invited.link).toMatch(linkForm);
    expect(await accept(invited.link)).toMatchObject({
      email: "ana@example.com",
      access: { sandbox: ["owner"], live: ["reviewer", "builder"] },
      groups: ["treasury", "audit"],
    });
    await expect(accept(invited.link)).rejects.toMatchObject({ code: "invitation_not_found" });
  });

  test("prints the link on a line of its own for people", async () => {
    const { code, out } = await procedo(
      place,
      "people",
      "invite",
      "--email",
      "a@example.com",
      "--access",
      "live=viewer",
    );
    const [first, second] = out.split("\n");
    expect([code, first]).toEqual([0, expect.stringMatching(linkForm)]);
    expect(second).toMatch(/^Invitation of a@example\.com\. It is valid once, until \S+Z, and is not shown again\.$/);
  });

  test.each(["live", "live=admin", "mars=viewer", "", "live=viewer;sandbox=viewer"])(
    "refuses the access %j as a wrong argument",
    async (access) => {
      const { code, err } = await procedo(place, "people", "invite", "--email", "a@example.com", "--access", access);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("live=reviewer") });
    },
  );

  test("refuses what is no address, with its code", async () => {
    const { code, err } = await procedo(place, "people", "invite", "--email", "ana", "--access", "live=viewer");
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Error (invalid_input): ") });
  });
});

test("people reset-password prints a link by which the only owner comes back", async () => {
  await join("olga@example.com", "live=owner,sandbox=owner");
  const { code, err } = await procedo(
    place,
    "people",
    "invite",
    "--email",
    "olga@example.com",
    "--access",
    "live=owner",
  );
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("procedo people reset-password olga@") });
  const { out } = await procedo(place, "people", "reset-password", "Olga@example.com");
  const [lost = "", second] = out.split("\n");
  expect(lost).toMatch(linkForm);
  expect(second).toMatch(/^New password of Olga@example\.com\. The link is valid once, until \S+Z, /);
  const { link } = await procedoJson<Invited>(place, "people", "reset-password", "olga@example.com");
  await expect(accept(lost)).rejects.toMatchObject({ code: "invitation_not_found" });
  expect(await accept(link)).toMatchObject({ access: { live: ["owner"], sandbox: ["owner"] } });
  expect((await procedo(place, "people", "reset-password", "eve@example.com")).err).toContain("person_not_found");
});

describe("people list and deactivate", () => {
  test("show people in the contract's form and as a table, and name the keys that are refused", async () => {
    await join("ana@example.com", "live=builder");
    const key = createdApiKeySchema.parse(
      JSON.parse((await createKey("--person", "ana@example.com", "--json")).out) as CreatedApiKey,
    );
    expect(key).toMatchObject({ person: "ana@example.com", createdBy: expect.not.stringContaining("ana") as string });
    const page = personPageSchema.parse(await procedoJson(place, "people", "list"));
    expect(page.data).toMatchObject([{ email: "ana@example.com", isActive: true, access: { live: ["builder"] } }]);
    const { out } = await procedo(place, "people", "deactivate", "ANA@example.com");
    expect(out).toContain(`Key "k" (${key.id}) of live acts as this person and is refused.`);
    expect((await procedo(place, "people", "list")).out).toMatch(/ana@example\.com\s+builder\s+deactivated/);
    const removed = await procedoJson(place, "people", "deactivate", "ana@example.com", "--remove-keys");
    expect(removed).toMatchObject({ keys: [{ id: key.id }] });
    expect((await procedo(place, "keys", "list")).out).toContain("There are no keys.");
  });

  test("refuse an unknown address, and the last owner", async () => {
    await join("olga@example.com", "live=owner,sandbox=owner");
    for (const [email, reason] of [
      ["eve@example.com", "person_not_found"],
      ["olga@example.com", "last_owner"],
    ] as const) {
      const { code, err } = await procedo(place, "people", "deactivate", email);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`Error (${reason}): `) });
    }
  });
});

test("keys create names a person once people have joined", async () => {
  expect((await createKey()).code).toBe(0);
  await join("ana@example.com", "live=builder");
  for (const flags of [[], ["--person", "ben"], ["--person", "ben@example.com"]]) {
    const { code, err } = await createKey(...flags);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("procedo keys create --person EMAIL") });
  }
  expect((await createKey("--person", "Ana@example.com")).code).toBe(0);
});

test("start prints the link of the first owner until there is one, and the log does not have it", async () => {
  const started = async (): Promise<string> => {
    const server = await startProcess(place);
    await expect.poll(() => server.output()).toContain("Set up: ");
    server.kill("SIGTERM");
    await server.ended;
    return server.output();
  };
  const [first, second] = [await started(), await started()];
  const linkOf = (output: string): string => /^Set up: (\S+)$/m.exec(output)?.[1] ?? "";
  expect(linkOf(first)).toMatch(/^https:\/\/procedo\.example\.com\/dashboard\/setup#inv_[A-Za-z0-9_-]{43}$/);
  for (const output of [first, second]) {
    const token = linkOf(output).split("#")[1] ?? expect.unreachable();
    expect(output.split(token)).toHaveLength(2);
  }
  await expect(accept(linkOf(first), "olga@example.com")).rejects.toMatchObject({ code: "invitation_not_found" });
  expect(await accept(linkOf(second), "olga@example.com")).toMatchObject({ email: "olga@example.com" });
  const server = await startProcess(place);
  server.kill("SIGTERM");
  await server.ended;
  expect(server.output()).not.toContain("Set up");
});

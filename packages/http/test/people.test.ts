import { describe, expect, test } from "vitest";
import { createHarness, newName, textOf, type Harness } from "./harness.ts";

const owning = { access: { sandbox: ["owner" as const], live: ["owner" as const] } };

async function withOwner() {
  const harness = await createHarness();
  return { harness, owner: await harness.person(owning) };
}

async function invited(harness: Harness, key: string, body: object = { access: { live: ["viewer"] } }) {
  const email = `${newName()}@procedo.test`;
  const answer = await harness.ask("POST /api/v1/people/invitations", { key, body: { email, ...body } });
  expect(answer.status, answer.text).toBe(201);
  return { email, id: textOf(answer.body["id"]), token: textOf(answer.body["link"]).split("#")[1] };
}

describe("an invitation", () => {
  test("shows its link once; lists show it without, and it can be withdrawn", async () => {
    const { harness, owner } = await withOwner();
    const key = owner.token;
    const { id, email, token } = await invited(harness, key, { access: { live: ["viewer"] }, groups: ["Treasury"] });
    const list = await harness.ask("GET /api/v1/people/invitations", { key });
    expect(list.body["data"]).toMatchObject([{ id, email, groups: ["treasury"], invitedBy: owner.email }]);
    expect(list.text).not.toContain(token);
    expect((await harness.ask(`DELETE /api/v1/people/invitations/${id}`, { key })).status).toBe(200);
    expect((await harness.ask(`DELETE /api/v1/people/invitations/${id}`, { key })).status).toBe(404);
    const look = await harness.ask("POST /api/v1/invitations/look-up", { body: { token } });
    expect(look).toMatchObject({ status: 404, body: { code: "invitation_not_found" } });
  });

  test("for a person who has joined is a 409, and one for an address that is invited replaces the open one", async () => {
    const { harness, owner } = await withOwner();
    const invite = (email: string) =>
      harness.ask("POST /api/v1/people/invitations", {
        key: owner.token,
        body: { email, access: { live: ["viewer"] } },
      });
    expect(await invite(owner.email)).toMatchObject({ status: 409, body: { code: "email_taken" } });
    const lost = await invited(harness, owner.token);
    const again = await invite(lost.email.toUpperCase());
    expect(again).toMatchObject({ status: 201, body: { id: lost.id } });
    const look = (token: string | undefined) =>
      harness.ask("POST /api/v1/invitations/look-up", { body: { token: token ?? "" } });
    expect((await look(lost.token)).status).toBe(404);
    expect((await look(textOf(again.body["link"]).split("#")[1])).status).toBe(200);
  });

  test.each([
    { email: "no-address" },
    { groups: ["owner"] },
    { access: { live: ["king"] } },
    { access: { mars: [] } },
    { access: {} },
    { access: { live: [], sandbox: [] } },
    { access: undefined },
  ])("with %j is refused", async (fault) => {
    const { harness, owner } = await withOwner();
    const body = { email: "ana@procedo.test", access: { live: ["viewer"] }, ...fault };
    const answer = await harness.ask("POST /api/v1/people/invitations", { key: owner.token, body });
    expect(answer.status).toBe(400);
  });
});

test("an invitation without a role says what to do", async () => {
  const { harness, owner } = await withOwner();
  const body = { email: "ana@procedo.test", access: { live: [] } };
  const answer = await harness.ask("POST /api/v1/people/invitations", { key: owner.token, body });
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "/access" }] } });
  expect(answer.text).toContain("Give at least one in sandbox or live");
});

describe("a person", () => {
  test("is listed, read and changed; a change of access ends their sessions", async () => {
    const { harness, owner } = await withOwner();
    const ana = await harness.person({ access: { sandbox: ["viewer"] } });
    const path = `/api/v1/people/${ana.personId}`;
    const list = await harness.ask("GET /api/v1/people", { key: owner.token });
    expect(list.body["data"]).toHaveLength(3);
    const read = await harness.ask(`GET ${path}`, { key: owner.token });
    expect(read.body).toMatchObject({ email: ana.email, access: { sandbox: ["viewer"], live: [] }, isActive: true });
    const renamed = await harness.ask(`PATCH ${path}`, { key: owner.token, body: { name: "Ana" } });
    expect(renamed.body).toMatchObject({ name: "Ana", access: { sandbox: ["viewer"], live: [] } });
    expect((await harness.ask("GET /api/v1/session", { key: ana.token })).status).toBe(200);
    const body = { access: { live: ["reviewer"] }, groups: ["Treasury"] };
    const changed = await harness.ask(`PATCH ${path}`, { key: owner.token, body });
    expect(changed.body).toMatchObject({ access: { sandbox: ["viewer"], live: ["reviewer"] }, groups: ["treasury"] });
    expect((await harness.ask("GET /api/v1/session", { key: ana.token })).status).toBe(401);
  });

  test("that is deactivated has no session and no accepted key, and may be activated again", async () => {
    const { harness, owner } = await withOwner();
    const ana = await harness.person({ access: { sandbox: ["builder"] } });
    const named = { name: "ana's", environment: "sandbox", permissions: ["run"] };
    const made = await harness.ask("POST /api/v1/api-keys?environment=sandbox", { key: ana.token, body: named });
    const key = textOf(made.body["key"]);
    expect((await harness.ask("GET /api/v1/runs", { key })).status).toBe(200);
    const path = `/api/v1/people/${ana.personId}`;
    const gone = await harness.ask(`DELETE ${path}`, { key: owner.token });
    expect(gone).toMatchObject({ status: 200, body: { keys: [{ id: made.body["id"], name: "ana's" }] } });
    for (const credential of [key, ana.token]) {
      const answer = await harness.ask("GET /api/v1/runs?environment=sandbox", { key: credential });
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    }
    expect((await harness.ask(`PATCH ${path}`, { key: owner.token, body: { isActive: true } })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/runs", { key })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/session", { key: ana.token })).status).toBe(401);
    await harness.ask(`DELETE ${path}?keys=delete`, { key: owner.token });
    await harness.ask(`PATCH ${path}`, { key: owner.token, body: { isActive: true } });
    expect((await harness.ask("GET /api/v1/runs", { key })).status).toBe(401);
  });

  test("loses all sessions by an owner, which is recorded, and signs in again", async () => {
    const { harness, owner } = await withOwner();
    const ana = await harness.person({ access: { sandbox: ["viewer"] } });
    const path = `/api/v1/people/${ana.personId}/sessions`;
    expect((await harness.ask(`DELETE ${path}`, { key: ana.token })).status).toBe(403);
    expect((await harness.ask(`DELETE ${path}`, { key: owner.token })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/session", { key: ana.token })).status).toBe(401);
    expect(await harness.engine.people.get({ personId: ana.personId })).toMatchObject({ isActive: true });
    const recorded = await harness.engine.audit.list({ limit: 1, action: "session.ended_by_other" });
    expect(recorded.items).toMatchObject([{ by: owner.email, subject: ana.personId }]);
    const own = `DELETE /api/v1/people/${owner.personId}/sessions`;
    expect((await harness.ask(own, { key: owner.token })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/session", { key: owner.token })).status).toBe(401);
  });

  test("that deactivates themselves with their keys gets the answer, and no key works after the reactivation", async () => {
    const { harness, owner } = await withOwner();
    const ana = await harness.person(owning);
    const named = { name: "ana's", environment: "sandbox", permissions: ["run"] };
    const made = await harness.ask("POST /api/v1/api-keys?environment=sandbox", { key: ana.token, body: named });
    const path = `/api/v1/people/${ana.personId}`;
    const gone = await harness.ask(`DELETE ${path}?keys=delete`, { key: ana.token });
    expect(gone, gone.text).toMatchObject({ status: 200, body: { keys: [{ id: made.body["id"] }] } });
    expect((await harness.ask(`DELETE ${path}`, { key: owner.token })).body).toEqual({ keys: [] });
    expect((await harness.ask(`PATCH ${path}`, { key: owner.token, body: { isActive: true } })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/runs", { key: textOf(made.body["key"]) })).status).toBe(401);
  });

  test("that is the last owner stays one", async () => {
    const { harness, owner } = await withOwner();
    const key = owner.token;
    const { body } = await harness.ask("GET /api/v1/people?limit=100", { key });
    const people = body["data"] as readonly { readonly id: string }[];
    const other = people.find(({ id }) => id !== owner.personId)?.id ?? "";
    expect((await harness.ask(`DELETE /api/v1/people/${other}`, { key })).status).toBe(200);
    const own = `/api/v1/people/${owner.personId}`;
    for (const [method, change] of [
      ["DELETE", undefined],
      ["PATCH", { access: { live: ["viewer"] } }],
    ] as const) {
      const answer = await harness.ask(`${method} ${own}`, { key, body: change });
      expect(answer, answer.text).toMatchObject({ status: 409, body: { code: "last_owner" } });
    }
    expect((await harness.ask("GET /api/v1/session", { key })).status).toBe(200);
  });

  test("that is unknown is a 404", async () => {
    const { harness, owner } = await withOwner();
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "x" } : undefined;
      const answer = await harness.ask(`${method} /api/v1/people/per_never`, { key: owner.token, body });
      expect(answer).toMatchObject({ status: 404, body: { code: "person_not_found" } });
    }
  });
});

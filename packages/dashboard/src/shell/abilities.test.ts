import { expect, test } from "vitest";
import type { PrincipalAnswer, SessionAnswer } from "../api/models.ts";
import { environmentsOf, hasAbility, isAdministrator, sessionOf } from "./abilities.ts";

const service = { version: "1", models: [], timeZone: "UTC" };

function answer(access: SessionAnswer["person"]["access"], permissions: SessionAnswer["permissions"]): SessionAnswer {
  const at = "2026-11-26T00:00:00.000Z";
  const person = { id: "per_1", email: "ana@acme.example", name: "Ana", groups: [], isActive: true, createdAt: at };
  return { person: { ...person, access }, permissions, session: { id: "ses_1", expiresAt: at }, service };
}

test("a person has the permissions that the service states, in each environment on its own", () => {
  const session = sessionOf(
    answer({ sandbox: ["builder"], live: ["viewer"] }, { sandbox: ["run", "manage"], live: [] }),
  );
  expect(environmentsOf(session)).toEqual(["sandbox", "live"]);
  expect(hasAbility(session, "sandbox", "run")).toBe(true);
  expect(hasAbility(session, "live", "run")).toBe(false);
  expect(isAdministrator(session)).toBe(false);
});

test("an environment without a role is not reached", () => {
  const session = sessionOf(answer({ sandbox: [], live: ["owner"] }, { sandbox: [], live: ["run", "administer"] }));
  expect(environmentsOf(session)).toEqual(["live"]);
  expect(isAdministrator(session)).toBe(false);
});

test("owners of both environments administer the workspace", () => {
  const session = sessionOf(
    answer({ sandbox: ["owner"], live: ["owner"] }, { sandbox: ["administer"], live: ["administer"] }),
  );
  expect(isAdministrator(session)).toBe(true);
});

test("a person whom an embedding application signs in has no account here, and administers no one", () => {
  const principal: PrincipalAnswer["principal"] = {
    person: "ana@acme.example",
    roles: ["treasury"],
    permissions: ["run", "administer"],
  };
  expect(environmentsOf(sessionOf({ principal, service }))).toEqual(["sandbox", "live"]);
  const session = sessionOf({ principal: { ...principal, environment: "live" }, service });
  expect(session.access).toBeUndefined();
  expect(environmentsOf(session)).toEqual(["live"]);
  expect(hasAbility(session, "live", "run")).toBe(true);
  expect(hasAbility(session, "sandbox", "run")).toBe(false);
  expect(isAdministrator(session)).toBe(false);
});

import type { Mutation } from "./mutation.ts";

/** A bug in the access of people, and the test that has to find it. */
export interface AccessMutation extends Mutation {
  readonly finder: TestName;
}

/** A test of a package. */
export interface TestName {
  readonly project: "unit" | "integration";
  /** Path below `packages/`. */
  readonly file: string;
  /** Part of the full name of one test or more. */
  readonly test: string;
}

/** The variable that names the bug with which a process runs tests. */
export const mutationVariable = "PROCEDO_MUTATION";

const people = "engine/src/people";

function mutation(
  name: string,
  [file, test]: readonly [file: string, test: string],
  ...edits: readonly (readonly [file: string, search: string, replace: string])[]
): AccessMutation {
  const project = file.includes("/test/") ? "integration" : "unit";
  return {
    name,
    finder: { project, file, test },
    edits: edits.map(([of, search, replace]) => ({ file: of, search, replace })),
  };
}

const engineTest = (file: string, test: string) => [`engine/test/${file}.test.ts`, test] as const;
const httpTest = (file: string, test: string) => [`http/test/${file}.test.ts`, test] as const;

/** The seeded bugs of seeded-bugs-access; those of the commit tier come first. */
export const accessMutations: readonly AccessMutation[] = [
  mutation("a viewer may decide reviews", engineTest("access-of-people", "may do what the role permits in live"), [
    `${people}/access-roles.ts`,
    "viewer: [],",
    `viewer: ["review"],`,
  ]),
  mutation(
    "a session has the access of the other environment",
    engineTest("access-of-people", "may do what the role permits in live"),
    [
      `${people}/session-holders.ts`,
      "const roles = joined.access[environment];",
      `const roles = joined.access[environment === "live" ? "sandbox" : "live"];`,
    ],
  ),
  mutation(
    "the last owner may be removed by another at the same moment",
    engineTest("access-of-people", "stays when two owners remove each other"),
    [
      `${people}/write-person.ts`,
      `      if (check !== undefined) {
        await check();
        refuseRevoked(fact);
      }
`,
      `      void [entry, refuseRevoked];
`,
    ],
  ),
  mutation(
    "the throttle counts after the password was compared",
    engineTest("guessed-passwords", "of 60 guesses at the same moment on three nodes"),
    [`${people}/sessions.ts`, "        await ports.throttle.begin(attempt);\n        const row", "        const row"],
    [
      `${people}/sessions.ts`,
      "        if (!isRight || row?.body.joined?.isActive !== true) throw wrong();",
      `        await ports.throttle.begin(attempt);
        if (!isRight || row?.body.joined?.isActive !== true) throw wrong();`,
    ],
  ),
  mutation("the last owner may leave", engineTest("access-of-people", "the last owner of both environments"), [
    `${people}/change-person.ts`,
    "  if (await roster.hasOwner(personId)) return;",
    "  if (await roster.hasPeople()) return;",
  ]),
  mutation(
    "the key of a deactivated person is accepted",
    engineTest("keys-of-people", "is refused while the person is not active"),
    ["engine/src/keys/key-limits.ts", "!person.isActive || ", ""],
  ),
  mutation(
    "a key keeps the permissions that its person has lost",
    engineTest("keys-of-people", "does no more than the person may now"),
    ["engine/src/keys/key-limits.ts", "may.has(permission)", "may.size >= 0 && permission.length > 0"],
  ),
  mutation(
    "a key keeps the roles that its person has lost",
    engineTest("keys-of-people", "does no more than the person may now"),
    ["engine/src/keys/key-limits.ts", "held.has(role)", "held.size >= 0 && role.length > 0"],
  ),
  mutation(
    "a key has the permissions of its person in the other environment",
    engineTest("keys-of-people", "does no more than the person may now"),
    [
      "engine/src/keys/key-limits.ts",
      "new Set<string>(permissionsOf(person.access[environment]))",
      `new Set<string>(permissionsOf(person.access[environment === "live" ? "sandbox" : "live"]))`,
    ],
  ),
  mutation("a key administers people", engineTest("access-of-people", "and no key, even of a person who may"), [
    "engine/src/keys/key-limits.ts",
    "  return { person: name, permissions, roles: roles.filter((role) => held.has(role)) };",
    `  const all = may.has("administer") ? [...permissions, "administer" as never] : permissions;
  return { person: name, permissions: all, roles: roles.filter((role) => held.has(role)) };`,
  ]),
  mutation(
    "four eyes are counted by keys",
    httpTest("authorization-sessions", "with a session or another key, however the run was started"),
    [
      "engine/src/access/may-decide.ts",
      "const person = normalName(principal.person);",
      "const person = normalName(principal.via ?? principal.person);",
    ],
  ),
  mutation("an invitation is accepted twice", engineTest("invitations", "is accepted once"), [
    `${people}/plan-joining.ts`,
    "createdAtMs: body.joined?.createdAtMs ?? ports.clock.now(),\n      },",
    "createdAtMs: body.joined?.createdAtMs ?? ports.clock.now(),\n      },\n      ...(body.invitation && { invitation: body.invitation }),",
  ]),
  mutation("an expired invitation is accepted", engineTest("invitations", "that was withdrawn, has expired"), [
    `${people}/person.ts`,
    "invitation === undefined || invitation.expiresAtMs <= nowMs",
    "invitation === undefined || nowMs < 0",
  ]),
  mutation(
    "the link of the first owner makes a second one",
    engineTest("invitations", "is refused, if another owner joins between the check and the write"),
    [
      `${people}/invitations.ts`,
      "      ...(invitation.email === undefined && { check: () => refuseSecondSetUp(ports.roster) }),\n",
      "",
    ],
  ),
  mutation(
    "an owner of one environment gives access to the other",
    engineTest("access-of-people", "an owner of sandbox changes the access to sandbox alone"),
    [
      `${people}/change-person.ts`,
      `for (const environment of changedIn) authorize(by, "administer", environment);`,
      `for (const environment of changedIn) void environment;`,
    ],
  ),
  mutation(
    "other sessions survive a new password",
    engineTest("sessions", "begins a new session, and ends all others of the person"),
    [
      `${people}/sessions.ts`,
      "        await endAll(personId, sessionId);\n        await writePerson",
      "        await writePerson",
    ],
    [
      `${people}/sessions.ts`,
      "        await endAll(personId, begun.row.sessionId);\n        return { token: begun.token",
      "        return { token: begun.token",
    ],
  ),
  mutation(
    "a request goes on when the access of its person changes",
    engineTest("sessions", "that has a person whose access changes revokes its requests"),
    [
      `${people}/session-holders.ts`,
      "const access = JSON.stringify([joined.access, joined.groups]);",
      `const access = "";`,
    ],
    [`${people}/change-person.ts`, "  if (endsSessions) await ports.endSessions(personId);\n", ""],
  ),
  mutation(
    "a session of a deactivated person is accepted",
    engineTest("sessions", "is refused after the deactivation, and when the person is activated again"),
    [`${people}/session-holders.ts`, "joined?.isActive !== true", "joined === undefined"],
  ),
  mutation(
    "a sign-in with an unknown address is answered without a hash",
    engineTest("guessed-passwords", "a sign-in hashes a password once"),
    [
      `${people}/passwords.ts`,
      "    await derive(password, new Uint8Array(saltBytes), presentCost, hashBytes);\n    return false;",
      "    return false;",
    ],
  ),
  mutation(
    "an unknown address is not throttled",
    engineTest("sessions", "does the same reads and writes for an unknown address"),
    [
      `${people}/sessions.ts`,
      "        await ports.throttle.begin(attempt);\n        const row = await roster.byEmail(email);",
      "        const row = await roster.byEmail(email);\n        if (row !== undefined) await ports.throttle.begin(attempt);",
    ],
  ),
  mutation(
    "the groups of a person are no roles",
    httpTest("authorization-sessions", "a review that names a role is decided"),
    [`${people}/access-roles.ts`, "return [...access[environment], ...groups];", "return [...access[environment]];"],
  ),
  mutation(
    "a cookie changes something for a foreign page",
    httpTest("sessions", "as a cookie changes nothing without"),
    ["http/src/access/authenticate.ts", "  browserOrigin.check(request);\n", ""],
  ),
  mutation("a foreign page signs its visitor in", httpTest("sessions", "is refused for a foreign page"), [
    "http/src/answering/guest-operations.ts",
    "    browserOrigin.checkIfNamed(request);\n",
    "",
  ]),
  mutation("a cookie is accepted beside a bearer token", httpTest("sessions", "beside a key, or twice, is a 400"), [
    "http/src/access/authenticate.ts",
    "authorization !== undefined && /^bearer\\b/i.test(authorization)",
    "authorization !== undefined && /^never\\b/i.test(authorization)",
  ]),
  mutation(
    "a session whose token was not delivered stays",
    httpTest("shown-once", "a sign-in ends if its caller disconnected"),
    [
      `${people}/sessions.ts`,
      "undo: ({ session: { personId, sessionId } }) => store.end({ workspace, personId, sessionId }),",
      "undo: async ({ session: { personId, sessionId } }) => [personId, sessionId],",
    ],
  ),
  mutation(
    "a session changes what the other environment uses too",
    httpTest("authorization-shared", "is taken away by a builder and viewer of the other only as permitted"),
    [
      `${people}/session-holders.ts`,
      "(other === environment ? [] : joined.access[other])",
      "(other !== environment ? [] : joined.access[other])",
    ],
  ),
  mutation(
    "a restore leaves the sessions of the backup",
    engineTest("after-restore", "sessions of people end and open invitations are void"),
    [`${people}/after-restore.ts`, "    await ports.endSessions(personId);\n", ""],
  ),
];

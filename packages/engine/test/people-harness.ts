import type { AccessChanges, Engine, HeldSession, Person, SignedIn } from "@procedo/engine";

/** Code that embeds the engine. */
export const operator = { person: "operator", via: "command" } as const;

export const password = "four eyes see more";

/** Invites a person, who joins with {@link password}. Without access, the person loses the role of the invitation. */
export async function join(
  { people }: Pick<Engine, "people">,
  email: string,
  access: AccessChanges = { live: ["viewer"] },
  groups: readonly string[] = [],
): Promise<Person> {
  const isGiven = Object.values(access).some((roles) => roles.length > 0);
  const { token } = await people.invite({
    email,
    access: isGiven ? access : { live: ["viewer"] },
    groups,
    by: operator,
  });
  const person = await people.accept({ token, name: email.slice(0, 3), password });
  if (isGiven) return person;
  return await people.update({ personId: person.personId, access: { live: [] }, by: operator });
}

/** Accounts that cannot sign in by password: one that was deactivated, one that was invited, one without a password. */
export async function joinUnable(engine: Pick<Engine, "people">): Promise<readonly string[]> {
  const { people } = engine;
  const emails = ["gone@example.com", "open@example.com", "oidc@example.com"] as const;
  const [gone, open, oidc] = emails;
  const { personId } = await join(engine, gone);
  await people.deactivate({ personId, by: operator });
  await people.invite({ email: open, access: { live: ["viewer"] }, by: operator });
  const { token } = await people.invite({ email: oidc, access: { live: ["viewer"] }, by: operator });
  await people.accept({ token, name: "O", identity: { issuer: "https://idp", subject: "1" } });
  return emails;
}

/** Begins a session without the cost of a password. */
export function enter({ sessions }: Pick<Engine, "sessions">, { personId }: Person): Promise<SignedIn> {
  return sessions.signInAs({ personId });
}

/** The hold of a session that exists. */
export async function held({ sessions }: Pick<Engine, "sessions">, token: string): Promise<HeldSession> {
  const hold = await sessions.hold(token);
  if (hold === undefined) throw new Error("The session does not exist.");
  return hold;
}

/** Owner of both environments. */
export const ownerAccess: AccessChanges = { sandbox: ["owner"], live: ["owner"] };

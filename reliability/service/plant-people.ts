import { randomBytes } from "node:crypto";
import type { CreatedInvitation, SessionAnswer } from "@procedo/contract";
import { callService, type CallRequest } from "./call-service.ts";
import type { Witness } from "./leak-scenario.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";
import { urlOf, type ServiceWorld } from "./service-world.ts";

/**
 * People with passwords, invitations and sessions. Each secret is used, refused and sent in a wrong place. Afterwards
 * the command creates keys for people only.
 */
export async function plantPeople(service: ServiceWorld, witness: Witness, planted: PlantedSecrets): Promise<void> {
  const url = await urlOf(service.node);
  /** An answer that shows a secret, which is planted instead of kept. */
  const shown = async <T>(path: string, key: string | undefined, request: CallRequest): Promise<T> => {
    const answer = await callService(url + path, key, request);
    if (answer === undefined || answer.status >= 300) throw new Error(`${path} answered ${answer?.status}.`);
    return JSON.parse(answer.text) as T;
  };
  const email = "ana@example.com";
  const access = "live=owner,sandbox=owner";
  const { out } = await service.command("people", "invite", "--email", email, "--access", access, "--json");
  const { link } = JSON.parse(out) as Pick<CreatedInvitation, "link">;
  const token = planted.add("the token of an invitation", link.split("#")[1] ?? "");
  const [first, second] = ["first", "second"].map((which) =>
    planted.add(`the ${which} password`, randomBytes(18).toString("base64")),
  );

  const acceptance = { token, name: "Ana", password: first };
  await witness("/api/v1/invitations/look-up", undefined, { body: { token } });
  await witness("/api/v1/invitations/accept", undefined, { body: { ...acceptance, token: `${token}x` } });
  await witness("/api/v1/invitations/accept", undefined, { body: { ...acceptance, name: "", surname: first } });
  await witness("/api/v1/invitations/accept", undefined, { body: acceptance });
  await witness("/api/v1/invitations/accept", undefined, { body: acceptance });
  await witness("/api/v1/invitations/look-up", token, { body: { token } });

  await witness("/api/v1/session", undefined, { body: { email, password: second } });
  await witness("/api/v1/session", undefined, { body: { email: first, password: first } });
  await witness("/api/v1/session", undefined, { body: { email, password: [first] } });
  await witness("/api/v1/session", undefined, { body: `{"email":"${email}","password":"${first ?? ""}` });
  const signIn = { body: { email, password: first, answerWith: "token" } };
  const signedIn = await shown<SessionAnswer>("/api/v1/session", undefined, signIn);
  const session = planted.add("the token of a session", signedIn.token ?? "");

  const invitation = { body: { email: "ben@example.com", access: { live: ["viewer"] } } };
  const invited = await shown<CreatedInvitation>("/api/v1/people/invitations", session, invitation);
  planted.add("the token of an open invitation", invited.link.split("#")[1] ?? "");
  for (const path of ["people", "people/invitations", "sessions", "session"]) await witness(`/api/v1/${path}`, session);
  await witness("/api/v1/session", `${session}x`);

  const wrong = { method: "PUT", body: { current: second, next: second } };
  await witness("/api/v1/session/password", session, wrong);
  const change = { method: "PUT", body: { current: first, next: second } };
  const changed = await shown<SessionAnswer>("/api/v1/session/password", session, change);
  const next = planted.add("the token of a second session", changed.token ?? "");
  await witness("/api/v1/session", session);
  await witness("/api/v1/session", next, { method: "DELETE" });
  for (const argv of [
    ["people", "list"],
    ["people", "list", "--json"],
  ]) {
    const listed = await service.command(...argv);
    planted.note("the command's output", listed.out + listed.err);
  }
}

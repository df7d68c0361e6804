import { InvalidArgumentError, Option, type Command } from "commander";
import { accessRoles, environments, normalName, ProcedoError, type AccessRole } from "@procedo/contract";
import type { AccessChanges, Engine, Person } from "@procedo/engine";
import { keyAnswer, pageAnswer, personAnswer } from "@procedo/http";
import { addressesOf } from "../settings/addresses.ts";
import type { CommandContext } from "./command-context.ts";
import { jsonOption, labels, operator, pageOptions, type PageFlags } from "./options.ts";
import { invitationLink } from "./people-links.ts";
import { moment, table } from "./table.ts";

/** `procedo people …` */
export function addPeopleCommands(program: Command, context: CommandContext): void {
  const people = program.command("people").description("People who sign in, and their access.");

  people
    .command("invite")
    .description("Creates an invitation and shows its link once. No e-mail is sent.")
    .requiredOption("--email <address>", "the address of the person, by which records name them")
    .addOption(
      new Option(
        "--access <list>",
        `roles in each environment (${accessRoles.join(", ")}): live=reviewer,sandbox=builder`,
      )
        .argParser(access)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--groups <list>", "labels that reviews may name as roles").argParser(labels).default([], "none"),
    )
    .addOption(jsonOption())
    .action(async ({ email, json, ...given }: InviteFlags) => {
      await context.withEngine(async (engine) => {
        const invitation = await engine.people.invite({ email, ...given, by: operator() });
        const { invitationId, expiresAtMs } = invitation;
        const link = invitationLink(addressesOf(context.settings()), invitation.token);
        const expiresAt = moment(expiresAtMs);
        if (json) return context.printJson({ invitationId, link, expiresAt });
        context.print(link);
        context.print(
          `Invitation of ${invitation.email ?? email}. It is valid once, until ${expiresAt}, and is not shown again.`,
        );
      });
    });

  people
    .command("reset-password")
    .description("Shows a link once by which an active person sets a new password. Their access and keys stay.")
    .argument("<email>", "the e-mail address of the person")
    .addOption(jsonOption())
    .action(async (email: string, { json }: { readonly json?: true }) => {
      await context.withEngine(async (engine) => {
        const { personId } = await personOf(engine, email);
        const reset = await engine.people.resetPassword({ personId, by: operator() });
        const link = invitationLink(addressesOf(context.settings()), reset.token);
        const expiresAt = moment(reset.expiresAtMs);
        if (json) return context.printJson({ invitationId: reset.invitationId, link, expiresAt });
        context.print(link);
        context.print(`New password of ${email}. The link is valid once, until ${expiresAt}, and is not shown again.`);
      });
    });

  const list = people.command("list").description("Lists people who have joined.").addOption(jsonOption());
  for (const option of pageOptions()) list.addOption(option);
  list.action(async ({ json, ...page }: PageFlags) => {
    await context.withEngine(async (engine) => {
      const { items, nextCursor } = await engine.people.list(page);
      if (json) return context.printJson(pageAnswer({ nextCursor }, items.map(personAnswer)));
      const rows = items.map(({ email, access: { sandbox, live }, groups, isActive, lastSeenAtMs, name }) => {
        const state = isActive ? "active" : "deactivated";
        return [email, sandbox.join(","), live.join(","), groups.join(","), state, moment(lastSeenAtMs), name];
      });
      const heading = ["E-MAIL", "SANDBOX", "LIVE", "GROUPS", "STATE", "LAST SEEN", "NAME"];
      context.printTable("There are no people. Invite one: procedo people invite", table(heading, rows), nextCursor);
    });
  });

  people
    .command("deactivate")
    .description("Ends the person's sessions, and refuses them and the keys that act as them from now on.")
    .argument("<email>", "the e-mail address of the person")
    .option("--remove-keys", "delete the keys that act as the person")
    .addOption(jsonOption())
    .action(async (email: string, { removeKeys = false, json }: DeactivateFlags) => {
      await context.withEngine(async (engine) => {
        const { personId } = await personOf(engine, email);
        const { keys } = await engine.people.deactivate({ personId, removeKeys, by: operator() });
        if (json) return context.printJson({ keys: keys.map(keyAnswer) });
        context.print(`${email} is deactivated.`);
        const what = removeKeys ? "is deleted" : "acts as this person and is refused";
        for (const { keyId, name, environment } of keys)
          context.print(`Key "${name}" (${keyId}) of ${environment} ${what}.`);
      });
    });
}

/** @throws ProcedoError `person_not_found` */
async function personOf(engine: Engine, email: string): Promise<Person> {
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await engine.people.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
    const found = items.find((person) => person.email === normalName(email));
    if (found !== undefined) return found;
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  throw new ProcedoError("person_not_found", `No person has the e-mail address "${email.slice(0, 320)}".`);
}

/** Parses roles by environment, separated by commas: `live=reviewer,live=builder,sandbox=owner`. */
function access(text: string): AccessChanges {
  const given: { sandbox: AccessRole[]; live: AccessRole[] } = { sandbox: [], live: [] };
  for (const part of text.split(",")) {
    const [place, name] = part.trim().split("=");
    const environment = environments.find((one) => one === place);
    const role = accessRoles.find((one) => one === name);
    if (environment === undefined || role === undefined) {
      throw new InvalidArgumentError(`Give pairs such as live=reviewer, with ${accessRoles.join(", ")}.`);
    }
    if (!given[environment].includes(role)) given[environment].push(role);
  }
  return given;
}

interface InviteFlags {
  readonly email: string;
  readonly access: AccessChanges;
  readonly groups: readonly string[];
  readonly json?: true;
}

interface DeactivateFlags {
  readonly removeKeys?: boolean;
  readonly json?: true;
}

import type { Command } from "commander";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { DescribedIntegration } from "@procedo/engine";
import { integrationAnswer } from "@procedo/http";
import type { CommandContext } from "./command-context.ts";
import { jsonOption } from "./options.ts";
import { table } from "./table.ts";

/** `procedo integrations list` and `show` */
export function addIntegrationsCommands(program: Command, context: CommandContext): void {
  const integrations = program.command("integrations").description("Services that connections can be made to.");

  integrations
    .command("list")
    .description("Lists the integrations of this service.")
    .addOption(jsonOption())
    .action(async ({ json }: { readonly json?: true }) => {
      await context.withEngine(async ({ connections }) => {
        const all = connections.integrations();
        if (json) return context.printJson({ data: all.map(integrationAnswer) });
        const rows = all.map(({ name, category = "", events, title }) => [name, category, `${events.length}`, title]);
        context.print(...table(["NAME", "CATEGORY", "EVENTS", "TITLE"], rows));
      });
    });

  integrations
    .command("show")
    .description("Shows the settings, secrets and events of an integration.")
    .argument("<integration>", "its name")
    .addOption(jsonOption())
    .action(async (name: string, { json }: { readonly json?: true }) => {
      await context.withEngine(async ({ connections }) => {
        const found = connections.integrations().find((one) => one.name === name);
        if (found === undefined)
          throw new ProcedoError("integration_not_found", `There is no integration "${name}". See integrations list.`);
        if (json) context.printJson(integrationAnswer(found));
        else context.print(...describeIntegration(found));
      });
    });
}

/** An integration as lines of text. Pure. */
function describeIntegration({
  name,
  title,
  category,
  fields,
  events,
  oauth,
}: DescribedIntegration): readonly string[] {
  const { properties = {}, required = [] } = fields.settings as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
  const settings = Object.entries(properties).map(([setting, schema]) => {
    const { description } = schema;
    const about = typeof description === "string" ? `: ${description}` : "";
    return `  --setting ${setting}=…${required.includes(setting) ? "" : " (optional)"}${about}`;
  });
  const secrets = fields.secrets.map(
    ({ name: secret, isRequired, description }) =>
      `  --secret ${secret}=env:…${isRequired ? "" : " (optional)"}${description === undefined ? "" : `: ${description}`}`,
  );
  return [
    `${title} (${name})${category === undefined ? "" : `, ${category}`}`,
    `  procedo connections create --integration ${name} --name … --environment …`,
    ...settings,
    ...secrets,
    ...(oauth ? ["  procedo connections authorize … --environment …"] : []),
    ...(events.length === 0 ? [] : ["Events"]),
    ...events.map(({ type, title: about }) => `  ${type}: ${about}`),
  ];
}

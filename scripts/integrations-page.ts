import type { CodedIntegration, ConnectionFields } from "../packages/engine/src/index.ts";
import { services } from "../packages/integrations/src/services/index.ts";

const head = `# Integrations

Services that finance teams have accounts with. Each environment has its own connections: credentials of the live account
are refused in the sandbox where they can be told apart. This page is made from the code (\`pnpm docs:update\`).

\`\`\`sh
STRIPE_KEY=… procedo connections create --integration stripe --name payments --environment sandbox \\
  --secret secretKey=env:STRIPE_KEY
procedo connections test payments
\`\`\`

Over HTTP the same is \`POST /api/v1/connections\` with \`name\`, \`integration\`, \`settings\` and \`secrets\`;
\`GET /api/v1/integrations\` lists the integrations of a service with their fields. The first test names the account of the
credentials. A service with events has an address for each connection (\`inbound.url\`), to be entered there;
[triggers](triggers.md) start runs by its events.

**Effects.** A \`read\` changes nothing. An \`idempotent\` call carries a key, and is repeated after a doubtful outcome while
the service keeps the key. After a doubtful outcome of a \`once\` call a person decides.

Any other service is reached by [Custom API](custom-api.md), a function inside your network by a
[private connection](private-connection.md), and [Building an integration](building-an-integration.md) makes a new one.
`;

/** docs/integrations.md: the catalogue of the services. */
export function integrationsPage(): string {
  const all = services();
  const contents = all.map(
    (one) =>
      `| [${one.title}](#${one.title.toLowerCase()}) | ${one.category ?? ""} | ${one.actions.size} | ${one.inbound?.events.length ?? 0} |`,
  );
  const table = ["| service | purpose | actions | events |", "| --- | --- | --- | --- |", ...contents].join("\n");
  return `${[head, table, ...all.map(section)].join("\n")}\n`;
}

function section({ name, title, fields, actions, inbound }: CodedIntegration): string {
  const rows = [...actions.values()].map(
    (action) => `| \`${action.name}\` | ${action.effect} | ${inCell(action.description)} |`,
  );
  const events = (inbound?.events ?? []).map((event) => `| \`${event.type}\` | ${inCell(event.title)} |`);
  return [
    `\n## ${title}\n`,
    `Integration \`${name}\`.\n`,
    ...fieldTable(fields),
    "| action | effect | purpose |\n| --- | --- | --- |",
    ...rows,
    ...(events.length === 0 ? [] : ["\n| event | meaning |\n| --- | --- |", ...events]),
  ].join("\n");
}

function fieldTable({ settings, secrets }: ConnectionFields): readonly string[] {
  const { properties = {}, required = [] } = settings as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  const rows = [
    ...Object.entries(properties).map(([name, { description = "" }]) => {
      return `| \`${name}\` | setting${required.includes(name) ? "" : ", optional"} | ${inCell(description)} |`;
    }),
    ...secrets.map(
      ({ name, isRequired, description = "" }) =>
        `| \`${name}\` | secret${isRequired ? "" : ", optional"} | ${inCell(description)} |`,
    ),
  ];
  return rows.length === 0 ? [] : ["| field | kind | meaning |\n| --- | --- | --- |", ...rows, ""];
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

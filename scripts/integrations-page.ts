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
[triggers](triggers.md) start runs by its events. A connection with a client in place of a token uses OAuth 2.0: a person
authorizes it at Xero and Slack, and Onfido authorizes the client itself.

**Effects.** A \`read\` changes nothing. An \`idempotent\` call carries a key, and is repeated after a doubtful outcome while
the service keeps the key. After a doubtful outcome of a \`once\` call a person decides.

Services that a person authorizes in a browser use [OAuth](oauth.md).

Any other service is reached by [Custom API](custom-api.md), a function inside your network by a
[private connection](private-connection.md), and [Building an integration](building-an-integration.md) makes a new one.
`;

/** Advice on the connections of a service, after its fields. */
const advice: Readonly<Record<string, string>> = {
  email: `\`\`\`sh
SMTP_PASSWORD=… procedo connections create --integration email --name mailbox --environment live \\
  --setting host=smtp.example.com --setting from=finance@acme.example --setting "fromName=Acme Finance" \\
  --secret password=env:SMTP_PASSWORD
\`\`\`

| server | settings |
| --- | --- |
| Microsoft 365 | \`host=smtp.office365.com\` |
| Gmail | \`host=smtp.gmail.com\`, \`port=465\` |
| Amazon SES | \`host=email-smtp.eu-west-1.amazonaws.com\` of your region, \`port=465\`, \`user\` of the SMTP credentials |
| a relay in your network | its host, \`port=25\`, \`security=none\`, no password; the operator allows its network (\`PROCEDO_ALLOW_NETWORKS\`) |

Mail is encrypted, with a certificate of the host's name, or it is not sent. A message with the same \`Message-ID\` is
the repetition of one call. Recipients whom the server refuses while it takes others are in the output (\`rejected\`);
if it refuses all of them, the step fails. After a reply of 4xx the step waits for five minutes before it tries again.
The addresses and hosts of the table are those of nodemailer 10.6.1; whether an account may log in with a password is up
to its provider.`,
  plaid: `Webhooks are sent to the address that \`/link/token/create\` or the dashboard of Plaid names: give it the connection's
inbound address, and keep that to yourself, because Plaid does not say that its signing keys belong to one client. A webhook
names an item by Plaid's id, which \`get_item\` reads for the name of an item. It has no id of its own: one that Plaid
repeats because an answer got lost starts a second run. Plaid gives up after 24 hours without an answer: let a schedule read
the same facts once a day, with \`sync_transactions\` or \`get_transfer\`.`,
  xero: `Xero has no sandbox. A connection of the sandbox is authorized for a *demo company*, which a person opens from the menu of
organisations after logging in to Xero, and one of live for any other organisation. The other way round it is refused with
\`credentials_of_other_environment\`, and nothing is stored. A trial organisation is no demo company. Xero does not tell it
from one with real books, so it cannot be used in the sandbox. When a demo company is reset, the authorization ends:
authorize the connection again, with \`--replace\` if the company has another id.

Take a separate app of Xero for each environment. It has to be allowed to read the organisation
(\`accounting.settings.read\`, which is asked for in any case).`,
};

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
    ...(name in advice ? [`${advice[name] ?? ""}\n`] : []),
    "| action | effect | purpose |\n| --- | --- | --- |",
    ...rows,
    ...(events.length === 0 ? [] : ["\n| event | meaning |\n| --- | --- |", ...events]),
  ].join("\n");
}

function fieldTable({ settings, secrets, otherSecrets }: ConnectionFields): readonly string[] {
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
    ...(otherSecrets === undefined
      ? []
      : [
          `| \`${otherSecrets.prefix}…\` | secrets, as many as there are | ${inCell(otherSecrets.description ?? "")} |`,
        ]),
  ];
  return rows.length === 0 ? [] : ["| field | kind | meaning |\n| --- | --- | --- |", ...rows, ""];
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

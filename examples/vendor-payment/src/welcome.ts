import type { RunningServer, Settings } from "@procedo/server";
import type { LedgerProcess } from "@procedo-examples/ledger";
import type { PreparedTriggers } from "./prepare-triggers.ts";
import type { ShownInvitation, ShownKey } from "./prepare-workspace.ts";

const order = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };

const invoice = { vendorId: "ven_acme", amount: 48_000, currency: "EUR", dueDate: "2027-02-15" };

/** An invoice that no other part of the example pays. */
const mail = {
  from: "billing@globex.example",
  subject: "Invoice inv_1003",
  text: "Please pay 899.90 USD for our invoice inv_1003.",
};

/** The output of `pnpm start`: invitations first, then addresses, new keys, and commands to paste. A pure function. */
export function welcome(started: {
  readonly server: Pick<RunningServer, "runnerUrl" | "appUrl">;
  readonly ledger: Pick<LedgerProcess, "url">;
  readonly triggers: PreparedTriggers;
  readonly keys: readonly ShownKey[];
  readonly invitations: readonly ShownInvitation[];
  readonly settings: Pick<Settings, "dataDir" | "databaseUrl">;
  /** Whether mailed-payment is published. */
  readonly hasAgents: boolean;
}): readonly string[] {
  const { server, ledger, triggers, keys, invitations, settings, hasAgents } = started;
  const runKey = keys.find(({ environment }) => environment === "sandbox")?.key ?? "$PROCEDO_KEY";
  return [
    "",
    "Procedo is running.",
    "",
    ...(invitations.length === 0 ? laterVisit(server) : firstVisit(server, invitations)),
    "",
    `  Runner API     ${server.runnerUrl}/v1/procedures/vendor-payment/sandbox`,
    `  Dashboard API  ${server.appUrl}/api/v1`,
    `  API document   ${server.appUrl}/api/v1/openapi.json`,
    `  Ledger         ${ledger.url} (example service)`,
    `  Data           ${settings.dataDir}${settings.databaseUrl === undefined ? "" : ", and Postgres at DATABASE_URL"}`,
    "",
    ...(keys.length === 0 ? laterKeys : firstKeys(keys)),
    "",
    "Pay an invoice:",
    "",
    payWithCurl(server.runnerUrl, runKey),
    "",
    "Let an invoice arrive. The ledger sends a signed event, which starts its payment. Then show the run:",
    "",
    receiveWithCurl(ledger.url),
    runsWithCurl(server.appUrl, runKey, triggers.payOnArrivalId),
    "",
    "A schedule looks for due invoices every minute. Show its latest run:",
    "",
    runsWithCurl(server.appUrl, runKey, triggers.checkEachMinuteId),
    "",
    ...(hasAgents
      ? ["Let an agent read a mail that asks for a payment:", "", mailWithCurl(server.runnerUrl, runKey), ""]
      : []),
    "Press Ctrl-C to stop.",
    "",
  ];
}

/** Returns a shell command in one line. */
export function payWithCurl(runnerUrl: string, key: string): string {
  return startWithCurl(`${runnerUrl}/v1/procedures/vendor-payment/sandbox`, key, order);
}

function mailWithCurl(runnerUrl: string, key: string): string {
  return startWithCurl(`${runnerUrl}/v1/procedures/mailed-payment/sandbox`, key, mail);
}

function receiveWithCurl(ledgerUrl: string): string {
  return `curl -sS ${ledgerUrl}/_control/invoices -H "Content-Type: application/json" -d '${JSON.stringify(invoice)}'`;
}

function runsWithCurl(appUrl: string, key: string, triggerId: string): string {
  return `curl -sS "${appUrl}/api/v1/runs?triggerId=${triggerId}&limit=1" -H "Authorization: Bearer ${key}"`;
}

function startWithCurl(url: string, key: string, data: object): string {
  const body = JSON.stringify({ data, control: { executionMode: "sync" } });
  const headers = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  return `curl -sS ${url} ${headers} -d '${body}'`;
}

function firstVisit(
  { appUrl }: Pick<RunningServer, "appUrl">,
  invitations: readonly ShownInvitation[],
): readonly string[] {
  const people = invitations.map(({ person, role, token }) => {
    return `  ${`${person} (${role})`.padEnd(27)} ${appUrl}/dashboard/invitation#${token}`;
  });
  return [
    "Open the dashboard. Each link creates the account of one person, once, within 7 days:",
    "",
    ...people,
    "",
    "Ana starts payments. Ben approves the large ones, and one waits for him already. To be both, open",
    "one of the links in a private window.",
  ];
}

const laterVisit = ({ appUrl }: Pick<RunningServer, "appUrl">): readonly string[] => [
  `Open the dashboard: ${appUrl}/dashboard`,
  "",
  "If you lost the link of a person, create another one:",
  "",
  "  npx -y pnpm@12.21.0 procedo people invite --email ben@example.com --access sandbox=reviewer,live=reviewer",
];

const firstKeys = (keys: readonly ShownKey[]): readonly string[] => [
  "Keys for programs, shown only once:",
  "",
  ...keys.map(({ environment, person, what, key }) => {
    return `  ${`${environment}, ${person} (${what})`.padEnd(44)} ${key}`;
  }),
];

const laterKeys = [
  "The keys were shown at the first start. Create another key, and put it into PROCEDO_KEY:",
  "",
  '  npx -y pnpm@12.21.0 procedo keys create --name "my key" --environment sandbox',
  "",
  "Once people have joined, name one of them: --person ana@example.com",
];

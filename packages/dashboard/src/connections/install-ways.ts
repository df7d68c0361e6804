/* The commands that start a client of a private connection. */
import type { Environment } from "../api/models.ts";

export interface InstallWay {
  readonly name: string;
  readonly lines: string;
}

/** The ways to run a client, with the address of the service and the place of the token. */
export function installWays(environment: Environment, sdkUrl: string): readonly InstallWay[] {
  const token = `PROCEDO_CONNECTION_TOKEN=run_${environment}_…`;
  const address = `PROCEDO_SDK_URL=${sdkUrl}`;
  return [
    {
      name: "npm",
      lines: [
        "npm init -y && npm pkg set type=module",
        "npm install @procedo/private-connection zod",
        `export ${token}`,
        `export ${address}`,
        "npx procedo-connect functions.ts",
      ].join("\n"),
    },
    {
      name: "Docker",
      lines: [
        `docker run --env ${address} \\`,
        "  --env-file connect.env --stop-timeout 75 procedo-functions",
        `# connect.env holds ${token}`,
      ].join("\n"),
    },
    {
      name: "systemd",
      lines: [
        "[Service]",
        "WorkingDirectory=/opt/procedo-functions",
        "EnvironmentFile=/etc/procedo/connect.env",
        `Environment=${address}`,
        "ExecStart=/opt/procedo-functions/node_modules/.bin/procedo-connect functions.ts --drain 60",
        "Restart=on-failure",
        "RestartPreventExitStatus=2",
        "TimeoutStopSec=70",
      ].join("\n"),
    },
  ];
}

import { isIPv6 } from "node:net";
import type { Settings } from "./settings.ts";

/** Where the service is reached. */
export interface Addresses {
  readonly runnerUrl: string;
  readonly appUrl: string;
  readonly sdkUrl: string;
}

/**
 * The addresses that were set, and for the others the one that is listened on.
 *
 * @param port the port that is listened on, when the settings left it to the machine
 */
export function addressesOf(
  settings: Pick<Settings, "host" | "port" | "runnerUrl" | "appUrl" | "sdkUrl">,
  port: number = settings.port,
): Addresses {
  const { runnerUrl = `http://${reachable(settings.host)}:${port}` } = settings;
  return { runnerUrl, appUrl: settings.appUrl ?? runnerUrl, sdkUrl: settings.sdkUrl ?? runnerUrl };
}

/** A server that listens on every address is reached, from this machine, on the loopback one. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

import { isIPv6 } from "node:net";
import type { Settings } from "./settings.ts";

/** Public addresses of the service. */
export interface Addresses {
  /** `RUNNER_URL`: base address of the Runner API, as callers reach it. */
  readonly runnerUrl: string;
  /** `APP_URL`: base address of the application under which `/api` lies, as callers reach it. */
  readonly appUrl: string;
  /** `SDK_URL`: base address at which clients of private connections poll. */
  readonly sdkUrl: string;
}

/**
 * Resolves the addresses. An address that is not set defaults to the listener's.
 *
 * @param port the actual port, which matters when the settings request a free one
 */
export function addressesOf(
  settings: Pick<Settings, "host" | "port" | "runnerUrl" | "appUrl" | "sdkUrl">,
  port: number = settings.port,
): Addresses {
  const { runnerUrl = `http://${reachable(settings.host)}:${port}` } = settings;
  return { runnerUrl, appUrl: settings.appUrl ?? runnerUrl, sdkUrl: settings.sdkUrl ?? runnerUrl };
}

/** A server that listens on every interface is reached on the loopback address from this machine. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

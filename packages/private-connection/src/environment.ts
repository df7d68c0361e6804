import { env } from "node:process";

/** The settings of the process's environment, read only here, when a connection is created. */
export interface EnvironmentSettings {
  readonly token: string | undefined;
  readonly url: string | undefined;
  readonly proxies: ProxySettings;
}

/** The usual variables of corporate proxies; lower case goes first, as everywhere. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Reads the given variables, or the process's own by default. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = env): EnvironmentSettings {
  // A variable that is set to nothing is not set.
  const read = (...names: readonly string[]): string | undefined =>
    names.map((name) => variables[name]?.trim()).find((value) => value !== undefined && value !== "");
  return {
    token: read("PROCEDO_CONNECTION_TOKEN"),
    url: read("PROCEDO_SDK_URL"),
    proxies: {
      // HTTP_PROXY in capitals could be set by a request's Proxy header in a CGI program; this one is none.
      httpProxy: read("http_proxy", "HTTP_PROXY") ?? "",
      httpsProxy: read("https_proxy", "HTTPS_PROXY") ?? "",
      noProxy: read("no_proxy", "NO_PROXY") ?? "",
    },
  };
}

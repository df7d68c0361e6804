import { env } from "node:process";

/** Settings from the environment of the process. They are read only when a connection is created. */
export interface EnvironmentSettings {
  readonly token: string | undefined;
  readonly url: string | undefined;
  readonly proxies: ProxySettings;
}

/** The usual variables for corporate proxies. Lower case takes precedence, as in other programs. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Reads the given variables; by default those of the process. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = env): EnvironmentSettings {
  // An empty variable counts as unset.
  const read = (...names: readonly string[]): string | undefined =>
    names.map((name) => variables[name]?.trim()).find((value) => value !== undefined && value !== "");
  return {
    token: read("PROCEDO_CONNECTION_TOKEN"),
    url: read("PROCEDO_SDK_URL"),
    proxies: {
      // In a CGI program, a request's Proxy header could set HTTP_PROXY. This program is not one.
      httpProxy: read("http_proxy", "HTTP_PROXY") ?? "",
      httpsProxy: read("https_proxy", "HTTPS_PROXY") ?? "",
      noProxy: read("no_proxy", "NO_PROXY") ?? "",
    },
  };
}

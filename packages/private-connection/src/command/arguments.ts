import { parseArgs } from "node:util";

/** The command's arguments. */
export type Arguments =
  | { readonly kind: "help" | "version" }
  | { readonly kind: "wrong"; readonly message: string }
  | {
      readonly kind: "list" | "serve";
      readonly module: string;
      readonly url: string | undefined;
      readonly concurrency: number | undefined;
      readonly caFile: string | undefined;
      readonly drainMs: number;
      readonly sendStackTraces: boolean;
    };

export const usage = `Usage: procedo-connect <module> [options]

Serves the functions that a module exports, made with defineFunction: a default export that is a list of them, or
exports of any names. A .ts module needs no build.

Options:
  --url URL             the service's SDK address; default: PROCEDO_SDK_URL
  --concurrency N       maximum number of concurrent calls (10)
  --ca FILE             CA certificates in PEM, trusted instead of the system's
  --drain SECONDS       time limit for running calls after SIGTERM or SIGINT (60); a second signal stops immediately
  --send-stack-traces   send error stacks with error messages
  --list                print the functions and exit; needs no network and no token
  --version, --help

The token is read from PROCEDO_CONNECTION_TOKEN, so that no list of processes shows it. A proxy is read from
HTTPS_PROXY, HTTP_PROXY and NO_PROXY.

Exit codes: 0 after a signal, when everything was done; 1 when the token was refused or calls were not done in time;
2 when it could not start.
`;

export function readArguments(argv: readonly string[]): Arguments {
  const wrong = (message: string): Arguments => ({ kind: "wrong", message });
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        url: { type: "string" },
        concurrency: { type: "string" },
        ca: { type: "string" },
        drain: { type: "string", default: "60" },
        "send-stack-traces": { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        version: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [module, ...more] = positionals;
  if (module === undefined) return wrong("Name the module that exports the functions.");
  if (more.length > 0) return wrong(`Only one module can be served. Remove "${more.join(" ")}".`);
  const drain = Number(values.drain);
  if (!(drain >= 0 && drain <= 86_400))
    return wrong(`--drain is "${values.drain}"; give a number of seconds from 0 to 86400.`);
  return {
    kind: values.list ? "list" : "serve",
    module,
    url: values.url,
    concurrency: values.concurrency === undefined ? undefined : Number(values.concurrency),
    caFile: values.ca,
    drainMs: Math.round(drain * 1_000),
    sendStackTraces: values["send-stack-traces"],
  };
}

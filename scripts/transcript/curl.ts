import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface CurlRequest {
  readonly method?: string;
  readonly path: string;
  /** Raw API key; `undefined` for none. */
  readonly key?: string | undefined;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: readonly string[];
}

export interface CurlAnswer {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
  /** The command and its output, with secrets masked. */
  readonly text: string;
}

const shownLength = 600;

/** Sends a request with the real `curl`. */
export async function curl(baseUrl: string, request: CurlRequest, mask: (text: string) => string): Promise<CurlAnswer> {
  const { method, path, key, body, headers = [] } = request;
  const data = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const withBody = data === undefined || headers.some((header) => header.startsWith("Content-Type"));
  const allHeaders = [
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(withBody ? [] : ["Content-Type: application/json"]),
    ...headers,
  ];
  const argv = [
    ...(method === undefined ? [] : ["-X", method]),
    baseUrl + path,
    ...allHeaders.flatMap((header) => ["-H", header]),
    ...(data === undefined ? [] : ["-d", data.length > 100_000 ? "@-" : data]),
  ];
  const sent = run("curl", ["-sS", "-i", ...argv], { maxBuffer: 64 * 1024 * 1024 });
  if (data !== undefined && data.length > 100_000) sent.child.stdin?.end(data);
  const { stdout } = await sent;
  // Interim answers (100 Continue) precede the final answer.
  const [head = "", ...rest] = stdout.split("\r\n\r\n").filter((part) => !/^HTTP\/1\.1 1\d\d /.test(part));
  const bodyText = rest.join("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const command = ["curl", ...argv.map(quoted)].join(" ").replace(baseUrl, "$URL");
  return {
    status,
    body: bodyText.startsWith("{") ? (JSON.parse(bodyText) as CurlAnswer["body"]) : {},
    text: mask(`$ ${shortened(command)}\n${status} ${shortened(bodyText)}`),
  };
}

/** Sends `count` requests with an unknown key over one connection. */
export async function guessKeys(baseUrl: string, count: number): Promise<void> {
  const everyAnswer = ["-sS", "-o", "/dev/null", "-H", "Authorization: Bearer rsk_sandbox_guess"];
  await run("curl", [...everyAnswer, `${baseUrl}/api/v1/runs?n=[1-${count}]`]);
}

function quoted(text: string): string {
  return /^[\w./:$=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}… (${text.length} characters)`;
}

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
  /** For a stream: how long to read it. */
  readonly seconds?: number;
}

export interface CurlAnswer {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
  /** The cookie that the answer sets, as a request sends it; `undefined` without one. */
  readonly cookie: string | undefined;
  /** The command and its output, with secrets masked. */
  readonly text: string;
}

const shownLength = 600;

/** Sends a request with the real `curl`. */
export async function curl(baseUrl: string, request: CurlRequest, mask: (text: string) => string): Promise<CurlAnswer> {
  const { method, path, key, body, headers = [], seconds } = request;
  const data = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const withBody = data === undefined || headers.some((header) => header.startsWith("Content-Type"));
  const allHeaders = [
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(withBody ? [] : ["Content-Type: application/json"]),
    ...headers,
  ];
  const argv = [
    ...(method === undefined ? [] : ["-X", method]),
    ...(seconds === undefined ? [] : ["-N", "-m", String(seconds)]),
    baseUrl + path,
    ...allHeaders.flatMap((header) => ["-H", header]),
    ...(data === undefined ? [] : ["-d", data.length > 100_000 ? "@-" : data]),
  ];
  const sent = run("curl", ["-sS", "-i", ...argv], { maxBuffer: 64 * 1024 * 1024 });
  if (data !== undefined && data.length > 100_000) sent.child.stdin?.end(data);
  // curl reports the end of its time as an error.
  const { stdout } = await sent.catch((error: Error & { readonly stdout?: string }) => {
    if (seconds === undefined || error.stdout === undefined) throw error;
    return { stdout: error.stdout };
  });
  // Interim answers (100 Continue) precede the final answer.
  const [head = "", ...rest] = stdout.split("\r\n\r\n").filter((part) => !/^HTTP\/1\.1 1\d\d /.test(part));
  const bodyText = rest.join("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const command = ["curl", ...argv.map(quoted)].join(" ").replace(baseUrl, "$URL");
  return {
    status,
    cookie: /^set-cookie: ([^;]+)/im.exec(head)?.[1],
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

/** A request to the API, as a page makes it. */
export interface CurlRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query, such as `/api/v1/runs?environment=live`. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The command that makes the request with an API key. */
export function curlCommand(origin: string, { method = "GET", path, body, headers = {} }: CurlRequest): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoted(origin + path)}`];
  lines.push('-H "Authorization: Bearer $PROCEDO_KEY"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-H ${quoted("Content-Type: application/json")}`, `-d ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

/** In single quotes, in which a shell expands nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The service's answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface CallRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request as any HTTP client would, without retries; `undefined` without an answer. */
export async function callService(
  url: string,
  key: string | undefined,
  { method, body, headers }: CallRequest = {},
): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return undefined;
  }
}

/**
 * The JSON of a successful answer.
 *
 * @throws Error if there was none, or another status
 */
export async function callWell<T>(url: string, key: string, request: CallRequest = {}): Promise<T> {
  const answer = await callService(url, key, request);
  if (answer === undefined) throw new Error(`No answer came from ${new URL(url).pathname}.`);
  if (answer.status >= 300) throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as T;
}

import createClient from "openapi-fetch";
import { serviceAddress } from "./address.ts";
import { ApiError, type ErrorBody } from "./api-error.ts";
import { fillPath } from "./fill-path.ts";
import type { paths } from "./schema.d.ts";

/** The documented HTTP API of the service. The session's cookie authenticates it. */
export const api = createClient<paths>({
  baseUrl: serviceAddress,
  credentials: "same-origin",
  pathSerializer: fillPath,
});

interface Exchange<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Resolves to the answer's body. @throws ApiError */
export async function answerOf<Data>(exchange: Promise<Exchange<Data>>): Promise<NonNullable<Data>> {
  let done: Exchange<Data>;
  try {
    done = await exchange;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("offline", "The service could not be reached. Check the network, and try again.");
  }
  const { data, error, response } = done;
  if (response.ok && data !== undefined && data !== null) return data;
  throw errorOf(error, response);
}

function errorOf(body: unknown, response: Response): ApiError {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const facts = { status: response.status, ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }) };
  if (isErrorBody(body)) {
    const { code, error, details = [], requestId } = body;
    return new ApiError(code, error, { ...facts, details, requestId });
  }
  return new ApiError("unexpected", `The service answered with the status ${response.status}.`, facts);
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && "error" in body;
}

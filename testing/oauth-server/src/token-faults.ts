/** The answer of a token endpoint. */
export interface TokenAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * A fault of a token endpoint.
 *
 * @param forward asks the provider, which exchanges the code or rotates the refresh token
 * @returns the answer; `undefined` cuts the connection without one
 */
export type TokenFault = (forward: () => Promise<TokenAnswer>) => Promise<TokenAnswer | undefined>;

/** A fault that answers without asking the provider. */
export function answerWith(status: number, body: string, contentType = "application/json"): TokenFault {
  return async () => ({ status, contentType, body });
}

/** Asks the provider once `until` resolves. */
export function heldRequest(until: Promise<unknown>): TokenFault {
  return async (forward) => {
    await until;
    return await forward();
  };
}

/** Asks the provider at once, and answers once `until` resolves: the refresh token has rotated by then. */
export function heldAnswer(until: Promise<unknown>): TokenFault {
  return async (forward) => {
    const answer = await forward();
    await until;
    return answer;
  };
}

/** Changes members of the provider's answer. */
function changed(members: Readonly<Record<string, unknown>>): TokenFault {
  return async (forward) => {
    const answer = await forward();
    return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), ...members }) };
  };
}

/** The faults that authorization servers show in practice. */
export const tokenFaults = {
  /** The refresh token has rotated, and the connection is cut before the answer. */
  answerLost: async (forward) => {
    await forward();
    return undefined;
  },
  /** The connection is cut before the provider sees the request. */
  requestLost: async () => undefined,
  internalError: answerWith(500, "Internal Server Error", "text/plain"),
  unavailable: answerWith(503, "Service Unavailable", "text/plain"),
  htmlUnauthorized: answerWith(401, "<!doctype html><title>Log in</title><p>Please log in.", "text/html"),
  empty: answerWith(200, ""),
  negativeLifetime: changed({ expires_in: -5 }),
  /** Access tokens that cannot be renewed, as of a server whose client has no rotation. */
  withoutRefreshToken: changed({ refresh_token: undefined }),
  /** The refresh token or the code is refused, although the provider would accept it. */
  invalidGrant: answerWith(400, JSON.stringify({ error: "invalid_grant", error_description: "the grant is over" })),
} as const satisfies Readonly<Record<string, TokenFault>>;

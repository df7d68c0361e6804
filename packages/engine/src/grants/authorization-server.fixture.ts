import type { OAuthClient } from "../integrations/oauth-client.ts";

/** A client of the simulated server. */
export const client: OAuthClient = {
  grant: "authorization_code",
  authorizationUrl: "https://login.bank.example/authorize",
  tokenUrl: "https://login.bank.example/token",
  revocationUrl: "https://login.bank.example/revoke",
  clientId: "procedo",
  clientSecret: "client_secret_0123456789",
  scopes: ["payments"],
  origins: ["https://api.bank.example"],
};

export const lifetimeMs = 1_800_000;

/**
 * A simulated authorization server that replaces the refresh token on each use, as Xero does. The replaced one is accepted
 * for `graceMs` more; after that its use ends the grant, as reuse detection does.
 */
export function simulatedServer(clock: { now(): number }, { graceMs = 0 }: { readonly graceMs?: number } = {}) {
  let issued = 0;
  let refresh = "";
  /** The replaced refresh tokens, and when each was replaced first. */
  const replaced = new Map<string, number>();
  /** The ends of access tokens: those from before a renewal stay good. */
  const ends = new Map<string, number>();
  let isOver = false;

  const issue = () => {
    issued += 1;
    if (refresh !== "") replaced.set(refresh, clock.now());
    refresh = `refresh_token_${String(issued).padStart(6, "0")}`;
    const access = `access_token_${String(issued).padStart(6, "0")}`;
    ends.set(access, clock.now() + lifetimeMs);
    const body = { access_token: access, refresh_token: refresh, expires_in: lifetimeMs / 1_000, token_type: "Bearer" };
    return Response.json(body);
  };

  const invalidGrant = () => Response.json({ error: "invalid_grant" }, { status: 400 });

  return {
    /** Requests for tokens that it has answered. */
    requests: 0,
    get isOver() {
      return isOver;
    },
    get refreshToken() {
      return refresh;
    },
    accepts: (token: string) => !isOver && (ends.get(token) ?? 0) > clock.now(),
    end: () => {
      isOver = true;
    },
    /** The tokens of a person's authorization. */
    authorize: () => {
      isOver = false;
      refresh = "";
      replaced.clear();
      return issue();
    },
    answer(body: string): Response {
      this.requests += 1;
      const form = new URLSearchParams(body);
      if (form.get("grant_type") === "client_credentials") return issue();
      const token = form.get("refresh_token");
      if (isOver) return invalidGrant();
      if (token === refresh) return issue();
      if (clock.now() - (replaced.get(token ?? "") ?? -Infinity) <= graceMs) return issue();
      isOver = true;
      return invalidGrant();
    },
  };
}

export type SimulatedServer = ReturnType<typeof simulatedServer>;

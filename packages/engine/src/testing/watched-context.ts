import type { CallContext } from "../integrations/integration.ts";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import type { GuardedConnect } from "../egress/guarded-connect.ts";
import { EgressError } from "../egress/egress-error.ts";

/** Methods without side effects (RFC 9110, 9.2.1). */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** A call's context that records whether a request with a possible side effect was sent. */
export function watchActions(context: CallContext): {
  readonly context: CallContext;
  readonly mayHaveActed: () => boolean;
} {
  const watched = new WatchedContext(context);
  return { context: watched, mayHaveActed: () => watched.mayHaveActed };
}

/** A class, because a context's signal is created on first use. */
class WatchedContext implements CallContext {
  readonly action: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly environment: CallContext["environment"];
  readonly run: CallContext["run"];
  readonly nodeId: string;
  readonly settings: CallContext["settings"];
  readonly secrets: CallContext["secrets"];
  readonly account: CallContext["account"];
  readonly redactor: CallContext["redactor"];
  readonly fetch: GuardedFetch;
  readonly connect: GuardedConnect;
  readonly #context: CallContext;
  mayHaveActed = false;

  constructor(context: CallContext) {
    this.action = context.action;
    this.idempotencyKey = context.idempotencyKey;
    this.attempt = context.attempt;
    this.environment = context.environment;
    this.run = context.run;
    this.nodeId = context.nodeId;
    this.settings = context.settings;
    this.secrets = context.secrets;
    this.account = context.account;
    this.redactor = context.redactor;
    this.#context = context;
    this.fetch = async (input, init) => {
      const method = init?.method ?? (input instanceof Request ? input.method : "GET");
      const mayAct = !safeMethods.has(method.toUpperCase());
      try {
        const response = await context.fetch(input, init);
        this.mayHaveActed ||= mayAct;
        return response;
      } catch (error) {
        this.mayHaveActed ||= mayAct && !(error instanceof EgressError && error.sent === "no");
        throw error;
      }
    };
    this.connect = async (destination) => {
      const connection = await context.connect(destination);
      this.mayHaveActed = true;
      return connection;
    };
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }
}

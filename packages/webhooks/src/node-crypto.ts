import type * as NodeCrypto from "node:crypto";
import { WebhookError } from "./webhook-error.ts";

/**
 * Node's crypto, which Bun and Deno have too. Asked of the running process rather than imported, so that bundles for
 * browsers and edge runtimes build: there the call, not the build, fails, and says which entry to use.
 */
const crypto = (
  globalThis as { process?: { getBuiltinModule?: (id: "node:crypto") => typeof NodeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

export function nodeCrypto(): typeof NodeCrypto {
  if (crypto !== undefined) return crypto;
  throw new WebhookError(
    "unsupported_runtime",
    "This runtime has no node:crypto. Import the same functions from @procedo/webhooks/web, where they are async.",
  );
}

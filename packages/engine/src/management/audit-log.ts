import { ProcedoError, type JsonValue } from "@procedo/contract";
import type { AuditEntry, AuditStore } from "@procedo/storage";
import { chainHash, chainStart } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";

/** One change in the workspace, as the chain tells it. */
export interface AuditFact {
  /** `procedure.published`, `connection.created` … */
  readonly action: string;
  readonly by: string;
  readonly via: string;
  readonly subject: string;
  readonly details?: JsonValue;
}

/** The workspace's chain: each managed change is written together with its entry. */
export interface AuditLog {
  /**
   * Calls `write` with the next entry until it is not answered `audit_behind`.
   *
   * @throws ProcedoError `storage_unavailable` when others kept getting ahead
   */
  record<T>(fact: AuditFact, write: (entry: AuditEntry) => Promise<T>): Promise<Exclude<T, "audit_behind" | Behind>>;
}

/** How storage's object answers say that the entry came too late. */
export interface Behind {
  readonly status: "audit_behind";
}

const maxTries = 20;

export function createAuditLog(
  ports: { readonly audit: AuditStore; readonly clock: Clock; readonly chainKey: Uint8Array },
  workspace: string,
): AuditLog {
  return {
    record: async (fact, write) => {
      for (let tries = 0; tries < maxTries; tries++) {
        const head = await ports.audit.head({ workspace });
        const seq = (head?.seq ?? 0) + 1;
        const body = JSON.stringify({ atMs: ports.clock.now(), ...fact });
        const hash = chainHash(ports.chainKey, head?.hash ?? chainStart, workspace, seq, body);
        const result = await write({ seq, hash, body });
        if (!isBehind(result)) return result as Exclude<typeof result, "audit_behind" | Behind>;
      }
      throw new ProcedoError("storage_unavailable", "Too many changes at once in this workspace. Try again.");
    },
  };
}

function isBehind(result: unknown): boolean {
  if (result === "audit_behind") return true;
  return typeof result === "object" && result !== null && "status" in result && result.status === "audit_behind";
}

import { ProcedoError, type JsonValue } from "@procedo/contract";
import type { AuditEntry, AuditStore } from "@procedo/storage";
import { refuseRevoked, type Principal } from "../access/principal.ts";
import { chainHash, chainStart } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";
import { createFairTurns } from "./fair-turns.ts";

/** One change in the workspace, as the chain tells it. */
export interface AuditFact extends Pick<Principal, "environment" | "isRevoked"> {
  /** `procedure.published`, `connection.created` … */
  readonly action: string;
  readonly by: string;
  readonly via: string;
  readonly subject: string;
  readonly details?: JsonValue;
}

/** Where an entry stands in the chain. */
export interface ChainPlace {
  readonly seq: number;
  /** Hash of the entry before. */
  readonly follows: string;
}

/** The workspace's chain: each managed change is written together with its entry. */
export interface AuditLog {
  /**
   * Calls `write` with the next entry until it is not answered `audit_behind`. Changes of this process are written one after
   * the other, those of several environments and keys by turns.
   *
   * @param fact a function where the entry tells its own place
   * @throws ProcedoError `storage_unavailable` when others kept getting ahead; `unauthorized`, with nothing written, when
   *   the actor's key was deleted before it came to `write`
   */
  record<T>(
    fact: AuditFact | ((place: ChainPlace) => AuditFact),
    write: (entry: AuditEntry) => Promise<T>,
  ): Promise<Exclude<T, "audit_behind" | Behind>>;
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
  // One at a time: changes of this process would only get ahead of each other. Other processes are what the tries are for.
  const inTurn = createFairTurns();

  return {
    record: (fact, write) =>
      inTurn(typeof fact === "function" ? {} : fact, async () => {
        for (let tries = 0; tries < maxTries; tries++) {
          const head = await ports.audit.head({ workspace });
          const seq = (head?.seq ?? 0) + 1;
          const follows = head?.hash ?? chainStart;
          const { environment: _, isRevoked, ...told } = typeof fact === "function" ? fact({ seq, follows }) : fact;
          refuseRevoked({ isRevoked });
          const body = JSON.stringify({ atMs: ports.clock.now(), ...told });
          const hash = chainHash(ports.chainKey, follows, workspace, seq, body);
          const result = await write({ seq, hash, body });
          if (!isBehind(result)) return result as Exclude<typeof result, "audit_behind" | Behind>;
        }
        throw new ProcedoError("storage_unavailable", "Too many changes at once in this workspace. Try again.");
      }),
  };
}

function isBehind(result: unknown): boolean {
  if (result === "audit_behind") return true;
  return typeof result === "object" && result !== null && "status" in result && result.status === "audit_behind";
}

import { ProcedoError, type JsonValue } from "@procedo/contract";
import type { AuditEntry, AuditStore } from "@procedo/storage";
import { refuseRevoked, type Principal } from "../access/principal.ts";
import { chainHash, chainStart } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";
import { createFairTurns } from "./fair-turns.ts";

/** One change in the workspace, as the chain records it. */
export interface AuditFact extends Pick<Principal, "environment" | "isRevoked"> {
  /** `procedure.published`, `connection.created` … */
  readonly action: string;
  readonly by: string;
  readonly via: string;
  readonly subject: string;
  readonly details?: JsonValue;
}

/** The place of an entry in the chain. */
export interface ChainPlace {
  readonly seq: number;
  /** Hash of the preceding entry. */
  readonly follows: string;
}

/** The workspace's chain: each managed change is written in one transaction with its entry. */
export interface AuditLog {
  /**
   * Calls `write` with the next entry, and again while the answer is `audit_behind`. Changes of this process are
   * written one after another; environments and keys take turns.
   *
   * @param fact a function for an entry that contains its own place in the chain
   * @throws ProcedoError `storage_unavailable` when other processes appended first in every try; `unauthorized`, with
   *   nothing written, when the actor's key was deleted before `write` was called
   */
  record<T>(
    fact: AuditFact | ((place: ChainPlace) => AuditFact),
    write: (entry: AuditEntry) => Promise<T>,
  ): Promise<Exclude<T, "audit_behind" | Behind>>;
}

/** The answer of storage methods that return an object, when the entry does not follow the chain's head. */
export interface Behind {
  readonly status: "audit_behind";
}

const maxTries = 20;

export function createAuditLog(
  ports: { readonly audit: AuditStore; readonly clock: Clock; readonly chainKey: Uint8Array },
  workspace: string,
): AuditLog {
  // One at a time: concurrent changes of this process would only collide with each other. The tries are for other
  // processes.
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

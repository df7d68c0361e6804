import type { Storage } from "@procedo/storage";
import type { Slices } from "../journal/slices.ts";
import type { AuditPublicKey, SignedStatement } from "./signature.ts";

export interface VerifyPorts {
  readonly storage: Pick<Storage, "audit" | "procedures" | "retention" | "runs">;
  readonly workspace: string;
  readonly slices: Slices;
  readonly chainKey: Uint8Array;
  readonly publicKey: AuditPublicKey;
}

/** Options of {@link Audit.verify}. */
export interface VerifyRequest {
  /**
   * A checkpoint that was kept outside this storage, as `Audit.latestCheckpoint` returned it. Without it, a chain whose
   * newest entries were removed looks like a chain to which nothing was added.
   */
  readonly kept?: SignedStatement;
  /** Ends the verification early. @defaultValue it never ends early */
  readonly signal?: AbortSignal;
}

import * as z from "zod";
import { environments, type Environment, type JsonObject } from "@procedo/contract";
import type { AuditEntry, RunHead } from "@procedo/storage";
import { bodyDigest } from "../journal/chain.ts";
import type { ChainPlace } from "./audit-log.ts";
import { readChange, type WorkspaceChange } from "./changes.ts";
import { signatureProblem, type AuditPublicKey, type AuditSigner, type SignedStatement } from "./signature.ts";

/** The action of the chain's entries that are checkpoints. */
export const checkpointAction = "checkpoint";

/**
 * Characters of a head's hash that a checkpoint keeps: 96 bits. The hash is keyed, so that a collision cannot be
 * constructed.
 */
const keptHashLength = 16;

const countedSchema = z.strictObject({ count: z.int(), digest: z.string() });

const statementSchema = z.strictObject({
  type: z.literal("checkpoint"),
  workspace: z.string(),
  /** The entry's own place in the chain: a checkpoint that is kept elsewhere vouches for all entries before it. */
  seq: z.int(),
  follows: z.string(),
  atMs: z.number(),
  /** Lists the runs that ended at this time or later, */
  fromMs: z.number(),
  /** and before this time. */
  toMs: z.number(),
  /**
   * Number of this entry within its checkpoint. A checkpoint with many runs has several entries for the same period.
   */
  part: z.int(),
  last: z.boolean(),
  runs: z.strictObject({ sandbox: countedSchema, live: countedSchema }),
});

/**
 * A head as a checkpoint keeps it: run id, sequence number of the last row, prefix of its hash, end time of the run.
 */
type KeptHead = [runId: string, seq: number, hash: string, endedAtMs: number];

/** Thousands of heads are checked by hand: schema validation of each value would block the process. */
const headsSchema = z.custom<KeptHead[]>((value) => Array.isArray(value) && value.every(isKeptHead));

const detailsSchema = z.strictObject({
  statement: z.string(),
  keyId: z.string(),
  signature: z.string(),
  heads: z.strictObject({ sandbox: headsSchema, live: headsSchema }),
});

export type CheckpointStatement = z.infer<typeof statementSchema>;

/** The runs that one entry of a checkpoint lists. */
export interface CheckpointPart {
  readonly fromMs: number;
  readonly toMs: number;
  readonly part: number;
  readonly last: boolean;
  readonly heads: { readonly [environment in Environment]: readonly RunHead[] };
}

/** The content of a checkpoint's entry. */
export interface ReadCheckpoint {
  readonly signed: SignedStatement;
  readonly statement: CheckpointStatement;
  readonly heads: { readonly [environment in Environment]: readonly RunHead[] };
}

/** The details of a checkpoint's audit entry. */
export function checkpointDetails(
  signer: AuditSigner,
  workspace: string,
  atMs: number,
  { heads, ...window }: CheckpointPart,
  place: ChainPlace,
): JsonObject {
  const kept = { sandbox: heads.sandbox.map(keep), live: heads.live.map(keep) };
  const runs = { sandbox: counted(kept.sandbox), live: counted(kept.live) };
  const statement: CheckpointStatement = { type: "checkpoint", workspace, ...place, atMs, ...window, runs };
  return { ...signer.sign(JSON.stringify(statement)), heads: kept };
}

/**
 * Reads a checkpoint from the chain. `undefined` when the entry is not a checkpoint, a message when it is not as it was
 * signed.
 */
export function readCheckpoint(
  entry: AuditEntry,
  workspace: string,
  publicKey: AuditPublicKey,
): ReadCheckpoint | string | undefined {
  const change = readChange(entry);
  if (change?.action !== checkpointAction) return undefined;
  const details = detailsSchema.safeParse(change.details).data;
  if (details === undefined) return "It cannot be read.";
  const { heads, ...signed } = details;
  const problem = signatureProblem(signed, publicKey);
  if (problem !== undefined) return problem === "key" ? "Another key signed it." : "Its signature is not valid.";
  const statement = readStatement(signed.statement);
  if (statement?.workspace !== workspace || statement.seq !== entry.seq)
    return "It was signed for another place in the chain.";
  const counts = environments.every((environment) => {
    const { count, digest } = counted(heads[environment]);
    return statement.runs[environment].count === count && statement.runs[environment].digest === digest;
  });
  if (!counts) return "Its list of runs is not the one that was signed.";
  return { signed, statement, heads: { sandbox: heads.sandbox.map(asHead), live: heads.live.map(asHead) } };
}

/** Whether a stored journal ends with the row that the checkpoint recorded. */
export function isSameHead(kept: RunHead, stored: { readonly seq: number; readonly hash: string }): boolean {
  return kept.seq === stored.seq && kept.hash === stored.hash.slice(0, keptHashLength);
}

/** A checkpoint without its list of runs, which may be long. Other changes are returned unchanged. */
export function withoutHeads(change: WorkspaceChange): WorkspaceChange {
  if (change.action !== checkpointAction) return change;
  const details = detailsSchema.safeParse(change.details).data;
  if (details === undefined) return change;
  const { heads: _long, ...signed } = details;
  return { ...change, details: signed };
}

function readStatement(text: string): CheckpointStatement | undefined {
  try {
    return statementSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function counted(heads: KeptHead[]): { readonly count: number; readonly digest: string } {
  return { count: heads.length, digest: bodyDigest(JSON.stringify(heads)) };
}

function keep({ runId, seq, hash, endedAtMs }: RunHead): KeptHead {
  return [runId, seq, hash.slice(0, keptHashLength), endedAtMs];
}

function isKeptHead(value: unknown): value is KeptHead {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const fields: readonly unknown[] = value;
  const [runId, seq, hash, endedAtMs] = fields;
  return (
    typeof runId === "string" && Number.isSafeInteger(seq) && typeof hash === "string" && Number.isFinite(endedAtMs)
  );
}

function asHead([runId, seq, hash, endedAtMs]: KeptHead): RunHead {
  return { runId, seq, hash, endedAtMs };
}

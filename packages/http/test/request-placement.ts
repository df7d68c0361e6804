import type { Environment, JsonObject } from "@procedo/contract";
import type { Harness } from "./harness.ts";

/** The place of the requested resource, relative to the key's environment. */
export const placements = ["own", "other", "deleted", "never"] as const;
export type Placement = (typeof placements)[number];

export interface Prepared {
  readonly target: string;
  readonly body?: JsonObject;
  /** The requested id, which the answer may contain. */
  readonly subject?: string;
}

export interface OperationRequest {
  /** The meaningful placements: runs cannot be deleted, and procedures belong to both environments. */
  readonly placements: readonly Placement[];
  prepare(harness: Harness, environment: Environment, placement: Placement): Promise<Prepared>;
  /** The status for a key with all permissions and a resource of its own environment. */
  readonly ok: number;
  /** The status for a resource of the other environment. @defaultValue 404 */
  readonly other?: number;
}

export const otherThan = (environment: Environment): Environment => (environment === "sandbox" ? "live" : "sandbox");
export const whereIs = (environment: Environment, placement: Placement): Environment =>
  placement === "other" ? otherThan(environment) : environment;

/** A request about no resource. */
export const ofAll = (ok: number, target: string, body?: () => JsonObject): OperationRequest => ({
  placements: ["own"],
  ok,
  prepare: async () => ({ target, ...(body !== undefined && { body: body() }) }),
});

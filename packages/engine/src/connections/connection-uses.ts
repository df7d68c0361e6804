import type { Environment } from "@procedo/contract";

/** A procedure whose tool calls name a connection. */
export interface ConnectionUse {
  readonly procedureId: string;
  /** Left out of the draft. */
  readonly version?: string;
  readonly calls: readonly { readonly nodeId: string; readonly action: string }[];
}

/** Finds the procedures that call the connections of a name. A port of this module: `procedures/` implements it. */
export interface ConnectionUses {
  /** The default versions of the environment, and the drafts. */
  find(environment: Environment, connection: string): Promise<readonly ConnectionUse[]>;
  /** The default versions of the environment. */
  ofDefaults(environment: Environment, connection: string): Promise<readonly ConnectionUse[]>;
  /** Published versions, default or not, by procedure and newest first: at most `limit` of them. */
  ofVersions(connection: string, limit: number): Promise<readonly ConnectionUse[]>;
}

import type { Environment } from "@procedo/contract";

/** A procedure whose tool calls name a connection. */
export interface ConnectionUse {
  /** The procedure whose document names the connection. */
  readonly procedureId: string;
  /** Left out for a draft. */
  readonly version?: string;
  /** The tool calls that name it. */
  readonly calls: readonly {
    /** Id of the tool_call. */
    readonly nodeId: string;
    /** Name of the action that it calls. */
    readonly action: string;
  }[];
}

/** Finds the procedures that call a connection, by its name. A port of this module: `procedures/` implements it. */
export interface ConnectionUses {
  /** The default versions of the environment, and the drafts. */
  find(environment: Environment, connection: string): Promise<readonly ConnectionUse[]>;
  /** The number of procedures whose default version of the environment or whose draft calls a connection, by its name. */
  counts(environment: Environment): Promise<ReadonlyMap<string, number>>;
  /** The default versions of the environment. */
  ofDefaults(environment: Environment, connection: string): Promise<readonly ConnectionUse[]>;
  /** At most `limit` published versions, default or not, ordered by procedure and newest first. */
  ofVersions(connection: string, limit: number): Promise<readonly ConnectionUse[]>;
  /** The names of the triggers of the environment that take its events. `triggers/` finds them. */
  ofTriggers(environment: Environment, connection: string): Promise<readonly string[]>;
}

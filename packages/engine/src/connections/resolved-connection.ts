import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { Integration } from "../integrations/integration.ts";

/** A connection as a call uses it: of one environment, its secrets in the clear, in memory only. */
export interface ResolvedConnection {
  readonly name: string;
  /** Of an integration that is its own connection: the integration's name. */
  readonly connectionId: string;
  readonly integration: Integration;
  readonly settings: JsonObject;
  readonly secrets: { readonly [name: string]: string };
  /** Takes the connection's secrets out of what is about to be recorded. */
  readonly redact: (value: JsonValue) => JsonValue;
}

/** Finds the connection of that name in that environment; never that of the other one. */
export type ResolveConnection = (
  environment: Environment,
  name: string,
) => Promise<ResolvedConnection | undefined> | ResolvedConnection | undefined;

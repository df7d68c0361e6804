import type { Environment, JsonObject } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";

/** A connection to be created. */
export interface NewConnection {
  /** Name by which procedures refer to it; unique in its environment. */
  readonly name: string;
  /** Name of the integration. */
  readonly integration: string;
  /** Required, except for a private connection, which must not have one. */
  readonly environment?: Environment;
  /** Settings of the connection, which have to fit the integration's schema. @defaultValue `{}` */
  readonly settings?: JsonObject;
  /** Secrets of the connection, in plain text. They are stored encrypted and never shown again. @defaultValue `{}` */
  readonly secrets?: { readonly [name: string]: string };
  /** The person or key that creates the connection. */
  readonly by: Principal;
}

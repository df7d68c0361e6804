import {
  type Environment,
  environments,
  kindOf,
  privateConnectionTokenPrefixes,
  ProcedoError,
} from "@procedo/contract";

/** The token of a private connection, and the environment that it belongs to. */
export interface CheckedToken {
  readonly token: string;
  readonly environment: Environment;
}

/** @throws ProcedoError `invalid_configuration`; it never tells the token */
export function checkToken(token: unknown): CheckedToken {
  const prefixes = Object.values(privateConnectionTokenPrefixes).join(" or ");
  if (token === undefined || token === "") {
    throw refused(`The token is missing: give \`token\`, or set PROCEDO_CONNECTION_TOKEN. It begins with ${prefixes}.`);
  }
  if (typeof token !== "string") throw refused(`The token is ${kindOf(token)}. It begins with ${prefixes}.`);
  // Such as a line break from a file: a header cannot carry it, and the refusal would quote it.
  if (!/^[\x21-\x7e]+$/.test(token)) throw refused("The token contains white space or characters that no token has.");
  const environment = environments.find((each) => token.startsWith(privateConnectionTokenPrefixes[each]));
  if (environment !== undefined) return { token, environment };
  const hint = /^rsk_(sandbox|live)_/.test(token) ? " This one is an API key." : "";
  throw refused(`The token is none of a private connection: these begin with ${prefixes}.${hint}`);
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);

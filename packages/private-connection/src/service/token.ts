import {
  type Environment,
  environments,
  kindOf,
  privateConnectionTokenPrefixes,
  ProcedoError,
} from "@procedo/contract";

/** The token of a private connection, with its environment. */
export interface CheckedToken {
  readonly token: string;
  readonly environment: Environment;
}

/** @throws ProcedoError `invalid_configuration`; its message never contains the token */
export function checkToken(token: unknown): CheckedToken {
  const prefixes = Object.values(privateConnectionTokenPrefixes).join(" or ");
  if (token === undefined || token === "") {
    throw refused(`The token is missing: give \`token\`, or set PROCEDO_CONNECTION_TOKEN. It begins with ${prefixes}.`);
  }
  if (typeof token !== "string") throw refused(`The token is ${kindOf(token)}. It begins with ${prefixes}.`);
  // For example, a line break from a file: a header cannot contain it, and the error would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw refused("The token contains white space or other invalid characters.");
  const environment = environments.find((each) => token.startsWith(privateConnectionTokenPrefixes[each]));
  if (environment !== undefined) return { token, environment };
  const hint = /^rsk_(sandbox|live)_/.test(token) ? " This one is an API key." : "";
  throw refused(`The token does not belong to a private connection. Such tokens begin with ${prefixes}.${hint}`);
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);

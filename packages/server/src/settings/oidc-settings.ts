import type { ErrorDetail } from "@procedo/contract";
import { oneOf, type Read, type Reading } from "./values.ts";

/** The identity provider at which people sign in. */
export interface OidcSettings {
  /** `PROCEDO_OIDC_ISSUER`: the issuer, exactly as the provider names itself. http only on this machine. */
  readonly issuer: string;
  /** `PROCEDO_OIDC_CLIENT_ID`: the client that the provider knows the service as. */
  readonly clientId: string;
  /** `PROCEDO_OIDC_CLIENT_SECRET`: the client's secret. */
  readonly clientSecret: string;
  /** `PROCEDO_OIDC_NAME`, up to 100 characters: the provider's name for people. @defaultValue the issuer's host */
  readonly name: string;
  /**
   * `PROCEDO_OIDC_CREATE`: the role in both environments of accounts that were not invited.
   *
   * @defaultValue none: an account needs an invitation
   */
  readonly create: "viewer" | undefined;
}

const variables = {
  issuer: "PROCEDO_OIDC_ISSUER",
  clientId: "PROCEDO_OIDC_CLIENT_ID",
  clientSecret: "PROCEDO_OIDC_CLIENT_SECRET",
} as const;

/** Also adds problems for missing variables. @returns `undefined` when no variable is set */
export function readOidcSettings(read: Read, problems: ErrorDetail[]): OidcSettings | undefined {
  const before = problems.length;
  const given = {
    issuer: read(variables.issuer, undefined, issuer),
    clientId: read(variables.clientId, undefined, clientId),
    clientSecret: read(variables.clientSecret, undefined, secret),
  };
  const name = read("PROCEDO_OIDC_NAME", undefined, providerName);
  const create = read("PROCEDO_OIDC_CREATE", undefined, (text) => oneOf(["viewer"], text));
  // An invalid variable is reported once, and not again as missing.
  if (problems.length > before) return undefined;
  if ([...Object.values(given), name, create].every((value) => value === undefined)) return undefined;
  for (const member of ["issuer", "clientId", "clientSecret"] as const) {
    if (given[member] !== undefined) continue;
    const missing = variables[member];
    const message = `${missing} is not set, and another variable of the identity provider is. Set it, or unset them all.`;
    problems.push({ path: `/${missing}`, message });
  }
  const { issuer: url = "", clientId: id = "", clientSecret = "" } = given;
  if (problems.length > before) return undefined;
  return { issuer: url, clientId: id, clientSecret, name: name ?? new URL(url).host, create };
}

const issuerRule =
  "Give the issuer as the provider names itself: an https address without query and fragment, such as https://login.example.com. http is accepted for this machine only.";

function issuer(text: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isIssuer =
    url !== undefined &&
    (url.protocol === "https:" || (url.protocol === "http:" && isLocal)) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (isIssuer) return { value: text };
  // A malformed address may contain a password.
  return { wrong: `${text.includes("@") ? "seems to contain credentials" : `is "${text}"`}. ${issuerRule}` };
}

function clientId(text: string): Reading<string> {
  if (/^[\x20-\x7e]{1,500}$/.test(text)) return { value: text };
  return { wrong: "is no client id. Give 1 to 500 printable ASCII characters." };
}

/** The value is a secret and is never shown. */
function secret(text: string): Reading<string> {
  if (/^[\x21-\x7e]{8,1000}$/.test(text)) return { value: text };
  return { wrong: "is no client secret. Give 8 to 1000 printable ASCII characters without spaces." };
}

function providerName(text: string): Reading<string> {
  if (/^[^\p{C}]{1,100}$/u.test(text)) return { value: text };
  return { wrong: "is no name. Give 1 to 100 printable characters." };
}

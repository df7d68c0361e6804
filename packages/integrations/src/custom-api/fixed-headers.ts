import type { ErrorDetail, ParsedCustomApiSettings } from "@procedo/contract";
import { jsonPointer, isFramingHeader } from "@procedo/contract/syntax";
import type { Secrets } from "@procedo/engine";
import { isMediaType, isMediaTypeList } from "../openapi/operations/media-types.ts";

/** Maximum number of characters of all names and values. Servers reject larger headers. */
const maxTotalChars = 8_192;

type Settings = Pick<ParsedCustomApiSettings, "headers" | "authentication" | "idempotencyHeader">;

/**
 * The reasons why headers cannot be sent with every request of a connection. Fixed headers are settings, visible to
 * everyone who can see the connection, so a header that looks like a credential by its name or value is rejected.
 *
 * @param secrets of the connection
 */
export function fixedHeaderProblems(settings: Settings, secrets: Secrets): readonly ErrorDetail[] {
  const headers = Object.entries(settings.headers ?? {});
  const seen = new Set<string>();
  const details = headers.flatMap(([name, value]): ErrorDetail[] => {
    const path = jsonPointer(["settings", "headers", name]);
    const lowercase = name.toLowerCase();
    const message = seen.has(lowercase)
      ? "is also present in another case; header names are case-insensitive"
      : (nameProblem(lowercase, settings) ?? valueProblem(lowercase, value, secrets));
    seen.add(lowercase);
    return message === undefined ? [] : [{ path, message }];
  });
  const total = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (total <= maxTotalChars) return details;
  return [...details, { path: "/settings/headers", message: `must have at most ${maxTotalChars} characters in total` }];
}

const keptSafe = 'which a setting would show; give it by "authentication" and "secrets", which are encrypted';
export const isCredential = `is a credential, ${keptSafe}`;
const looksRandom =
  `has 32 random characters or more, as a credential has, ${keptSafe}. An identifier is accepted in a header whose name ends in a ` +
  'word such as "Id", "Account" or "Tenant"';

function nameProblem(name: string, { authentication, idempotencyHeader }: Settings): string | undefined {
  if (name === idempotencyHeader?.toLowerCase() || name.includes("idempot")) {
    return 'would have one idempotency key for all calls; name the header in "idempotencyHeader"';
  }
  const own = authentication.method === "api_key_header" ? authentication.header.toLowerCase() : undefined;
  if (name === own || namesCredential(name)) return isCredential;
  // Bodies are sent without a content coding.
  const isClients = isFramingHeader(name) || name === "accept-encoding" || name === "content-encoding";
  return isClients ? "is set by the HTTP client and cannot be changed" : undefined;
}

const credentialWords = new Set([
  ...["auth", "authentication", "authorization", "bearer", "cookie", "cookie2", "credential", "credentials", "jwt"],
  ...["key", "passwd", "passphrase", "pwd", "session", "sessionid"],
  ...["signature", "token", "otp", "hmac", "passcode"],
]);

/** Compound words: `X-UserToken`, `AppKey`, `ClientSecret`. */
const credentialEnd =
  /(?:token|secret|password|(?:api|app|secret|access|private|auth|user|client|license)-?key)(?:-|$)/;

/** Detected by the words of the name: `X-Api-Key`, `Ocp-Apim-Subscription-Key`, `x_auth_token`. */
function namesCredential(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => credentialWords.has(word)) || credentialEnd.test(words.join("-"));
}

const wordsOf = (name: string): readonly string[] => name.split(/[^a-z0-9]+/).filter((word) => word !== "");

const identifierWords = new Set([
  ...["id", "ids", "uuid", "guid", "identifier", "account", "tenant", "organization", "organisation", "org"],
  ...["merchant", "customer", "company", "project", "workspace", "version"],
]);

function valueProblem(name: string, value: string, secrets: Secrets): string | undefined {
  if (showsCredential(value, secrets)) return isCredential;
  if (name === "content-type" && !isMediaType(value)) return 'must be one media type, such as "application/json"';
  if (name === "accept" && !isMediaTypeList(value)) {
    return 'must be media types with commas between them, such as "application/json, text/csv"';
  }
  return !identifierWords.has(wordsOf(name).at(-1) ?? "") && isRandom(value) ? looksRandom : undefined;
}

/** Whether a value that people see has a secret of the connection, or a credential that is known by its form. */
export function showsCredential(value: string, secrets: Secrets): boolean {
  const holdsSecret = Object.values(secrets).some(
    (secret) => secret.length >= minSecretLength && value.includes(secret),
  );
  return holdsSecret || isMarked(value);
}

/** A shorter secret would also match ordinary words. */
const minSecretLength = 6;

const schemes = /^(?:basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256|oauth)\s+\S/i;
/**
 * Prefixes that issuers use to make keys detectable: Stripe, GitHub, GitLab, Slack, AWS, Google, Shopify, SendGrid,
 * Procedo, and JWTs.
 */
const marked =
  /(?:^|[\s=:"',;])(?:[sr]k_(?:live|test)_|rsk_(?:live|sandbox)_|run_(?:live|sandbox)_|whsec_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|A[KS]IA[A-Z0-9]{12}|AIza|shp(?:at|ss|ca|pa)_|SG\.[\w-]{16}|sk-[\w-]{16}|eyJ[\w-]+\.)/;

function isMarked(value: string): boolean {
  return schemes.test(value) || marked.test(value) || value.includes("-----BEGIN");
}

const long = /(?:^|[\s=:"',;])([A-Za-z0-9+/_-]{32,})={0,2}(?=$|[\s"',;])/g;
/** The name declares an identifier. */
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/**
 * 32 or more characters with letters and digits mixed more than in words with numbers, such as
 * `tool-streaming-2025-05-14`.
 */
function isRandom(value: string): boolean {
  return [...value.replaceAll(uuid, "").matchAll(long)].some(([, text = ""]) =>
    text.split(/[-_+/]/).some((part) => part.length >= 12 && /\d/.test(part) && /[A-Za-z]/.test(part)),
  );
}

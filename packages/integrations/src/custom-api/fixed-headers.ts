import type { ErrorDetail, ParsedCustomApiSettings } from "@procedo/contract";
import { isFramingHeader, type Secrets } from "@procedo/engine";

/** Characters of all names and values together: servers refuse larger heads. */
const maxTotalChars = 8_192;

type Settings = Pick<ParsedCustomApiSettings, "headers" | "authentication" | "idempotencyHeader">;

/**
 * Why headers cannot be sent with every request of a connection. They are settings, which everybody sees who sees the
 * connection: no credential is taken, whether its name or its value tells that it is one.
 *
 * @param secrets of the connection
 */
export function fixedHeaderProblems(settings: Settings, secrets: Secrets): readonly ErrorDetail[] {
  const headers = Object.entries(settings.headers ?? {});
  const seen = new Set<string>();
  const details = headers.flatMap(([name, value]): ErrorDetail[] => {
    const path = `/settings/headers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const lowercase = name.toLowerCase();
    const message = seen.has(lowercase)
      ? "is there in another case as well; names of headers compare without case"
      : (nameProblem(lowercase, settings) ?? valueProblem(value, secrets));
    seen.add(lowercase);
    return message === undefined ? [] : [{ path, message }];
  });
  const total = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (total <= maxTotalChars) return details;
  return [...details, { path: "/settings/headers", message: `must have at most ${maxTotalChars} characters in all` }];
}

const isCredential =
  'is a credential, which a setting would show; give it by "authentication" and "secrets", which are encrypted';

function nameProblem(name: string, { authentication, idempotencyHeader }: Settings): string | undefined {
  if (name === idempotencyHeader?.toLowerCase() || name.includes("idempot")) {
    return 'would have one idempotency key for all calls; name the header in "idempotencyHeader"';
  }
  const own = authentication.method === "api_key_header" ? authentication.header.toLowerCase() : undefined;
  if (name === own || namesCredential(name)) return isCredential;
  const isClients = isFramingHeader(name) || name === "accept-encoding";
  return isClients ? "is set by the HTTP client and cannot be given" : undefined;
}

const credentialWords = new Set([
  ...["auth", "authentication", "authorization", "bearer", "cookie", "cookie2", "credential", "credentials", "jwt"],
  ...["key", "apikey", "accesskey", "passwd", "password", "passphrase", "pwd", "secret", "session", "sessionid"],
  ...["signature", "token", "authtoken", "accesstoken", "apitoken", "otp"],
]);

/** By the words of its name: `X-Api-Key`, `Ocp-Apim-Subscription-Key`, `x_auth_token`. */
function namesCredential(name: string): boolean {
  return (
    name.split(/[^a-z0-9]+/).some((word) => credentialWords.has(word)) ||
    /(?:api|secret|access|private)-?key/.test(name)
  );
}

function valueProblem(value: string, secrets: Secrets): string | undefined {
  const holdsSecret = Object.values(secrets).some(
    (secret) => secret.length >= minSecretLength && value.includes(secret),
  );
  return holdsSecret || looksLikeCredential(value) ? isCredential : undefined;
}

/** A shorter one would be found in words. */
const minSecretLength = 6;

const schemes = /^(?:basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256|oauth)\s+\S/i;
/** As issuers mark them, to have them found: of Stripe, GitHub, GitLab, Slack, AWS, Google, Shopify, SendGrid, ours, and JWTs. */
const marked =
  /(?:^|[\s=:"',;])(?:[sr]k_(?:live|test)_|rsk_(?:live|sandbox)_|run_(?:live|sandbox)_|whsec_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|A[KS]IA[A-Z0-9]{12}|AIza|shp(?:at|ss|ca|pa)_|SG\.|sk-|eyJ[\w-]+\.)/;
/** 32 characters or more of letters and digits that no word and no version has; a UUID names something. */
const random =
  /(?:^|[\s=:"',;])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}(?=$|[\s"',;])/;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

function looksLikeCredential(value: string): boolean {
  const text = value.replaceAll(uuid, "");
  return schemes.test(text) || marked.test(text) || text.includes("-----BEGIN") || random.test(text);
}

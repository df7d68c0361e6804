import { ProcedoError } from "@procedo/contract";

/** Advice for error codes of the network library. */
const advice: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED|DEPTH_ZERO/,
    "The certificate's authority is not trusted. If it is your company's, set `ca` or NODE_EXTRA_CA_CERTS.",
  ],
  [/CERT_HAS_EXPIRED/, "The certificate has expired."],
  [/ALTNAME_INVALID/, "The certificate is for another address."],
  [/ENOTFOUND|EAI_AGAIN/, "The host name was not found."],
  [/ECONNREFUSED/, "No server listens at the address."],
];

/**
 * The error of a request without a complete answer, with a reason that an operator understands.
 *
 * @param told makes a text of a library or a proxy safe to show
 */
export function outgoingFailure(what: string, thrown: unknown, told: (text: string) => string): ProcedoError {
  const { code, message } = innermost(thrown);
  const known = advice.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1];
  const detail = code === "" || message.includes(code) ? message : `${message} (${code})`;
  return new ProcedoError(
    "upstream_unreachable",
    `${what} failed: ${told(detail)}.${known === undefined ? "" : ` ${known}`}`,
    {
      cause: thrown,
    },
  );
}

function innermost(thrown: unknown): { readonly code: string; readonly message: string } {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error && error.cause instanceof Error; depth++) error = error.cause;
  if (error instanceof AggregateError && error.errors.length > 0) error = (error.errors as unknown[])[0];
  if (!(error instanceof Error)) return { code: "", message: "the connection failed" };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { code, message: error.message.replace(/\.$/, "") };
}

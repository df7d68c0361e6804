import { ProcedoError } from "@procedo/contract";

/** Advice on errors that the network library names by its own codes. */
const advice: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED|DEPTH_ZERO/,
    "The certificate's authority is not trusted; give it by `ca` or NODE_EXTRA_CA_CERTS if it is your company's.",
  ],
  [/CERT_HAS_EXPIRED/, "The certificate has expired."],
  [/ALTNAME_INVALID/, "The certificate is for another address."],
  [/ENOTFOUND|EAI_AGAIN/, "The address's name is not found."],
  [/ECONNREFUSED/, "Nothing listens there."],
];

/**
 * The error of a request that got no whole answer: its reason in words that an operator understands.
 *
 * @param told makes what a library or a proxy says one that can be told
 */
export function outgoingFailure(what: string, thrown: unknown, told: (text: string) => string): ProcedoError {
  const { code, message } = innermost(thrown);
  const known = advice.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1];
  const detail = code === "" || message.includes(code) ? message : `${message} (${code})`;
  return new ProcedoError(
    "outgoing_failed",
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

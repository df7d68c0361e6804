/*
 * Checks the signature of a request in the reader's browser, and finds out why one does not fit: mostly the body was changed
 * between the wire and the place from which it was copied.
 */
import {
  isValidSignature,
  oldSignatureHeader,
  signatureHeader,
  verifyWebhook,
  WebhookError,
} from "@procedo/webhooks/web";

/** A request as a person pasted it. */
export interface PastedRequest {
  /** Header lines, or the value of the signature header alone. */
  readonly headers: string;
  readonly body: string;
  readonly secret: string;
}

export type SignatureVerdict =
  | {
      readonly fits: true;
      /** Which header's signature is by this secret. */
      readonly header: typeof signatureHeader | typeof oldSignatureHeader;
      /** Why the body is no event, although its signature fits. */
      readonly notAnEvent?: string;
    }
  | { readonly fits: false; readonly reason: string };

export async function checkSignature({ headers, body, secret }: PastedRequest): Promise<SignatureVerdict> {
  const signature = headerIn(headers, signatureHeader) ?? bareSignature(headers);
  const oldSignature = headerIn(headers, oldSignatureHeader);
  const received = { body, signature, oldSignature, secret };
  let notAnEvent: string | undefined;
  try {
    await verifyWebhook(received);
  } catch (error) {
    if (!WebhookError.isError(error)) throw error;
    if (error.code === "wrong_signature") return { fits: false, reason: await likelyCause(received, error.message) };
    if (error.code !== "not_json" && error.code !== "not_an_event") return { fits: false, reason: error.message };
    notAnEvent = error.message;
  }
  const isNew = await isValidSignature({ body, signature, secret });
  return {
    fits: true,
    header: isNew ? signatureHeader : oldSignatureHeader,
    ...(notAnEvent !== undefined && { notAnEvent }),
  };
}

/** The values of a header among pasted lines: plain ones, arguments of curl, or members of JSON. */
function headerIn(lines: string, name: string): string | undefined {
  const line = new RegExp(String.raw`^(?:\s*-H)?\W*${name}\W*[:=]\W*(.*?)\W*$`, "i");
  const values = lines.split("\n").flatMap((text) => line.exec(text)?.[1] ?? []);
  // A server joins a header that was sent twice in the same way.
  return values.length === 0 ? undefined : values.join(", ");
}

function bareSignature(text: string): string | undefined {
  return /^sha256=\S*$/i.test(text.trim()) ? text.trim() : undefined;
}

/** Changes that programs and people make to a body. */
const changes: readonly { readonly undo: (body: string) => string; readonly happened: string }[] = [
  { undo: (body) => body.replace(/\s+$/, ""), happened: "White space was added at the end of the body." },
  { undo: (body) => body.replace(/^\uFEFF/, ""), happened: "A byte order mark was added before the body." },
  { undo: (body) => body.trim(), happened: "White space was added around the body." },
  {
    undo: compact,
    happened: "The body was parsed and written again with other white space. Check the bytes as they arrive.",
  },
];

async function likelyCause(
  received: { readonly body: string; readonly signature: string | undefined; readonly secret: string },
  otherwise: string,
): Promise<string> {
  for (const { undo, happened } of changes) {
    const body = undo(received.body);
    if (body !== received.body && (await isValidSignature({ ...received, body }))) {
      return `The signature is not of exactly this body. ${happened}`;
    }
  }
  return otherwise;
}

/** JSON without white space between its tokens. Texts and digits stay as they are. */
function compact(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? "");
}

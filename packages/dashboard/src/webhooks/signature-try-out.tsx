import { CircleCheck } from "lucide-react";
import { useState, type FormEvent, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { checkSignature, type PastedRequest, type SignatureVerdict } from "./signature-check.ts";

/** Checks the signature of a pasted request in the browser. Neither the secret nor the request leaves the page. */
export function SignatureTryOut(): ReactElement {
  const [request, setRequest] = useState<PastedRequest>({ headers: "", body: "", secret: "" });
  const [verdict, setVerdict] = useState<SignatureVerdict>();
  const set = (name: keyof PastedRequest, value: string): void => {
    setRequest({ ...request, [name]: value });
    setVerdict(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void checkSignature(request).then(setVerdict);
  };
  // Browsers offer cryptography on secure pages only.
  const isPossible = isSecureContext;
  return (
    <Section title="Check a signature">
      <p className="max-w-prose text-text-2">
        A receiver refuses requests? Paste one as it arrived. It is checked in this browser, and nothing of it is sent
        anywhere.
      </p>
      {isPossible ? (
        <form onSubmit={submit} className="grid gap-4 md:grid-cols-2">
          <div className="flex flex-col gap-4">
            <TextArea
              label="Headers"
              isCode
              required
              rows={5}
              placeholder="X-Service-Signature: sha256=…"
              hint="All of them, or the signature alone."
              value={request.headers}
              onChange={({ target }) => set("headers", target.value)}
            />
            <TextField
              label="Signing secret"
              required
              autoComplete="off"
              spellCheck={false}
              placeholder="whsec_…"
              hint="As the receiver has it. It is forgotten when you leave the page."
              value={request.secret}
              onChange={({ target }) => set("secret", target.value)}
            />
          </div>
          <TextArea
            label="Body"
            isCode
            required
            rows={9}
            placeholder='{"id":"evt_…'
            hint="Byte for byte, before anything parses it."
            value={request.body}
            onChange={({ target }) => set("body", target.value)}
          />
          <div className="flex flex-col items-start gap-3 md:col-span-2">
            <Button type="submit">Check</Button>
            <div role="status">{verdict?.fits === true && <Fits verdict={verdict} />}</div>
            {verdict?.fits === false && (
              <Alert>
                <p>The signature does not fit.</p>
                <p className="font-normal">{verdict.reason}</p>
              </Alert>
            )}
          </div>
        </form>
      ) : (
        <Alert tone="review">Browsers check signatures on secure pages only: over HTTPS, or on this machine.</Alert>
      )}
    </Section>
  );
}

function Fits({
  verdict: { header, notAnEvent },
}: {
  readonly verdict: Extract<SignatureVerdict, { readonly fits: true }>;
}): ReactElement {
  return (
    <div className="flex items-start gap-2 rounded-panel bg-completed-bg px-3 py-2 text-completed">
      <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">The signature fits.</p>
        {header !== "X-Service-Signature" && (
          <p>
            It is the one in {header}, by the secret from before the rotation. Give the receiver the new secret before
            the old one expires.
          </p>
        )}
        {notAnEvent !== undefined && <p>{notAnEvent}</p>}
      </div>
    </div>
  );
}

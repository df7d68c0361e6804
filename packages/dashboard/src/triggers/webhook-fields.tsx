import type { ReactElement } from "react";
import { SelectField, TextField } from "../ui/field.tsx";
import { durationOptions } from "./duration-words.ts";
import { schemeWords } from "./source-words.ts";
import type { Scheme, WebhookDraft } from "./trigger-draft.ts";
import type { DraftFieldsProps } from "./draft-fields.ts";

const schemeHints: Readonly<Record<Scheme, string>> = {
  hmac: "The service signs each request with the secret.",
  standard_webhooks: "As standardwebhooks.com describes it. The libraries take the secret as it is.",
  token: "The service sends the secret itself in a header.",
  basic: "The service sends the user name procedo, and the secret as the password.",
};

/** How requests prove their origin, and which of them are the same event. */
export function WebhookFields({
  draft,
  onChange,
  problemOf,
  isStored,
}: DraftFieldsProps & { readonly isStored: boolean }): ReactElement {
  const { webhook } = draft;
  const { scheme, tokenHeader, dedupeBy, dedupeExpression, dedupeWithin } = webhook;
  const set = (changes: Partial<WebhookDraft>): void => onChange({ webhook: { ...webhook, ...changes } });
  return (
    <>
      <p className="text-text-2">
        {isStored
          ? "Its address and its secret stay."
          : "You get the address and the secret for the other service when the trigger is created."}
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Proof of origin"
          hint={schemeHints[scheme]}
          value={scheme}
          options={(Object.keys(schemeHints) as readonly Scheme[]).map((value) => ({
            value,
            label: schemeWords[value],
          }))}
          onChange={({ target }) => set({ scheme: target.value as Scheme })}
        />
        {scheme === "token" && (
          <TextField
            label="Header with the secret"
            hint="In Authorization, it follows the word Bearer."
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={128}
            value={tokenHeader}
            onChange={({ target }) => set({ tokenHeader: target.value })}
            problem={problemOf("/source/authentication/header")}
          />
        )}
        {scheme === "hmac" && <HmacFields {...{ webhook, set, problemOf }} />}
        <SelectField
          label="A request that is the same event as an earlier one"
          hint="Services repeat requests whose answer they did not get. A repetition starts no second run."
          value={dedupeBy}
          options={[
            {
              value: "usual",
              label:
                scheme === "standard_webhooks"
                  ? "Has the same webhook-id (usual)"
                  : "Has the same content within a day (usual)",
            },
            { value: "expression", label: "Gives the same value of an expression" },
            { value: "body", label: "Has the same content within a time" },
            { value: "none", label: "None: each request is an event" },
          ]}
          onChange={({ target }) => set({ dedupeBy: target.value as WebhookDraft["dedupeBy"] })}
        />
        {dedupeBy === "expression" && (
          <TextField
            label="Expression"
            hint="Over event and headers, such as event.id."
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={4096}
            value={dedupeExpression}
            onChange={({ target }) => set({ dedupeExpression: target.value })}
            problem={problemOf("/source/dedupe")}
          />
        )}
        {dedupeBy === "body" && (
          <SelectField
            label="Time"
            value={dedupeWithin}
            options={durationOptions(["PT1H", "PT24H", "P7D", "P35D"], dedupeWithin)}
            onChange={({ target }) => set({ dedupeWithin: target.value })}
            problem={problemOf("/source/dedupe")}
          />
        )}
      </div>
    </>
  );
}

function HmacFields({
  webhook: { hmac },
  set,
  problemOf,
}: {
  readonly webhook: WebhookDraft;
  readonly set: (changes: Partial<WebhookDraft>) => void;
  readonly problemOf: DraftFieldsProps["problemOf"];
}): ReactElement {
  const { header, algorithm, encoding, prefix, timestampHeader } = hmac;
  const setHmac = (changes: Partial<WebhookDraft["hmac"]>): void => set({ hmac: { ...hmac, ...changes } });
  const text = { autoComplete: "off", spellCheck: false } as const;
  return (
    <>
      <TextField
        {...text}
        label="Header with the signature"
        required
        maxLength={128}
        placeholder="X-Signature"
        value={header}
        onChange={({ target }) => setHmac({ header: target.value })}
        problem={problemOf("/source/authentication/header")}
      />
      <SelectField
        label="Algorithm"
        value={algorithm}
        options={[
          { value: "sha256", label: "SHA-256" },
          { value: "sha512", label: "SHA-512" },
          { value: "sha1", label: "SHA-1" },
        ]}
        onChange={({ target }) => setHmac({ algorithm: target.value as typeof algorithm })}
      />
      <SelectField
        label="Written in"
        value={encoding}
        options={[
          { value: "hex", label: "Hexadecimal" },
          { value: "base64", label: "Base64" },
        ]}
        onChange={({ target }) => setHmac({ encoding: target.value as typeof encoding })}
      />
      <TextField
        {...text}
        label="Text before the signature"
        note="Optional"
        maxLength={32}
        placeholder="sha256="
        value={prefix}
        onChange={({ target }) => setHmac({ prefix: target.value })}
        problem={problemOf("/source/authentication/prefix")}
      />
      <TextField
        {...text}
        label="Header with the time"
        note="Optional"
        hint="If the signature covers the time too. A request that is more than five minutes off is refused then."
        maxLength={128}
        value={timestampHeader}
        onChange={({ target }) => setHmac({ timestampHeader: target.value })}
        problem={problemOf("/source/authentication/timestampHeader")}
      />
    </>
  );
}

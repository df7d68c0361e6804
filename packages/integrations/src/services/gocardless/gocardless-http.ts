import type { Environment, JsonValue } from "@procedo/contract";
import * as z from "zod";
import type { RefusedAnswer } from "../../kit/earlier-result.ts";
import type { ServiceHttp, ServiceRefusal } from "../../kit/service-http.ts";

/** The secrets of a connection to GoCardless. */
export interface GoCardlessSecrets {
  readonly accessToken: string;
  readonly webhookSecret?: string | undefined;
}

/** The address of each environment. It is also the `Origin` of its events. */
export const origins: { readonly [environment in Environment]: string } = {
  live: "https://api.gocardless.com",
  sandbox: "https://api-sandbox.gocardless.com",
};

/** How requests to GoCardless are made and answered. */
export function goCardlessHttp(baseUrl: string | undefined): ServiceHttp<unknown, GoCardlessSecrets> {
  return {
    baseUrl: ({ environment }) => baseUrl ?? origins[environment],
    headers: { "GoCardless-Version": "2015-07-06" },
    credentials: ({ secrets: { accessToken } }) => ({ authorization: `Bearer ${accessToken}` }),
    idempotency: { header: "Idempotency-Key" },
    refusal: ({ status, body }) => (status < 400 ? undefined : refusalOf(status, body)),
  };
}

const failure = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().optional(),
    errors: z
      .array(
        z.object({
          message: z.string(),
          field: z.string().optional(),
          reason: z.string().optional(),
          links: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .default([]),
  }),
});

/** Most of the single errors that are told. The record has them all. */
const maxTold = 5;

function refusalOf(status: number, body: JsonValue): ServiceRefusal | undefined {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return undefined;
  const { message, errors } = parsed.data.error;
  const details = errors
    .map(({ field, message: detail }) => (field === undefined ? detail : `${field} ${detail}`))
    .filter((detail) => detail !== message);
  const told = [...new Set(details)].slice(0, maxTold).join("; ");
  const reason = (told === "" ? message : `${message} (${told})`).slice(0, 500).replace(/\.$/, "");
  return { message: `${subjectOf(status)}: ${reason}.` };
}

function subjectOf(status: number): string {
  if (status === 401) return "GoCardless did not accept the access token";
  if (status === 403) return "GoCardless does not permit the call";
  if (status === 429) return "GoCardless has had too many requests";
  return status >= 500 ? "GoCardless failed" : "GoCardless refused the call";
}

/** The resource that an earlier attempt with the same idempotency key created; `undefined` without a conflict. */
export function conflictingResource({ status, body }: RefusedAnswer): string | undefined {
  const errors = status === 409 ? (failure.safeParse(body).data?.error.errors ?? []) : [];
  const conflict = errors.find(({ reason }) => reason === "idempotent_creation_conflict");
  const id = conflict?.links?.["conflicting_resource_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Whether the service refused to cancel, as it does for a payment that is cancelled already. */
export function isCancellationRefused({ body }: RefusedAnswer): boolean {
  const errors = failure.safeParse(body).data?.error.errors ?? [];
  return errors.some(({ reason }) => reason === "cancellation_failed");
}

import type { Environment, JsonValue } from "@procedo/contract";
import * as z from "zod";
import type { ServiceReply } from "../../kit/service-http.ts";
import { refusalMessage } from "../../kit/refusal-message.ts";
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

const single = z.object({
  message: z.string().nullish(),
  field: z.string().nullish(),
  reason: z.string().nullish(),
  links: z.record(z.string(), z.unknown()).nullish(),
});
const failure = z.object({ error: z.object({ message: z.string().nullish(), errors: z.array(single).nullish() }) });

/** Most of the single errors that are told. The record has them all. */
const maxTold = 5;

function refusalOf(status: number, body: JsonValue): ServiceRefusal | undefined {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return undefined;
  const { message, errors } = parsed.data.error;
  const details = (errors ?? [])
    .map(({ field, message: detail }) => [field, detail].filter((part) => typeof part === "string").join(" "))
    .filter((detail) => detail !== "" && detail !== message);
  const told = [...new Set(details)].slice(0, maxTold).join("; ");
  const reason = told === "" ? (message ?? "") : `${message ?? "Errors"} (${told})`;
  return { message: refusalMessage("GoCardless", status, reason) };
}

function errorsOf({ body }: ServiceReply): readonly z.output<typeof single>[] {
  return failure.safeParse(body).data?.error.errors ?? [];
}

/** The resource that an earlier attempt with the same idempotency key created; `undefined` without a conflict. */
export function conflictingResource(answer: ServiceReply): string | undefined {
  if (answer.status !== 409) return undefined;
  const conflict = errorsOf(answer).find(({ reason }) => reason === "idempotent_creation_conflict");
  const id = conflict?.links?.["conflicting_resource_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Whether the service refused to cancel, as it does for a payment that is cancelled already. */
export function isCancellationRefused(answer: ServiceReply): boolean {
  return errorsOf(answer).some(({ reason }) => reason === "cancellation_failed");
}

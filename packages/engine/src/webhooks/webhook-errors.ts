import { ProcedoError, type Environment } from "@procedo/contract";
import type { DeactivatedWebhook } from "./webhook-record.ts";

export function inactiveWebhook(webhookId: string, deactivated: DeactivatedWebhook | undefined): ProcedoError {
  const since = deactivated === undefined ? "" : ` since ${new Date(deactivated.atMs).toISOString()}`;
  const because = deactivated === undefined ? "" : ` ${deactivated.because}`;
  const message = `Webhook "${webhookId}" is inactive${since}.${because} Activate it, then resend its deliveries.`;
  return new ProcedoError("webhook_inactive", message);
}

export function unknownWebhook(environment: Environment, webhookId: string): ProcedoError {
  return new ProcedoError("webhook_not_found", `There is no webhook "${webhookId}" in ${environment}.`);
}

export function unknownDelivery(environment: Environment, webhookId: string, deliveryId: string): ProcedoError {
  const message = `Webhook "${webhookId}" has no delivery "${deliveryId}" in ${environment}.`;
  return new ProcedoError("not_found", message);
}

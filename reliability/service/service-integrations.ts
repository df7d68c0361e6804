import type { Integration } from "@procedo/engine";
import { bankIntegration } from "../crash/bank-integration.ts";
import { createFailpoints } from "../crash/failpoints.ts";
import { leakyIntegration } from "./leaky-integration.ts";

/** The integrations of the service, in its own process and in those of its commands. */
export const serviceIntegrations: readonly Integration[] = [bankIntegration(createFailpoints()), leakyIntegration];

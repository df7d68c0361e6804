// Tries an integration against a service on loopback
export { probeIntegration } from "./probe-integration.ts";
export type {
  IntegrationProbe,
  ProbedAccount,
  ProbedCall,
  ProbedConnection,
  ProbedExchange,
  ProbedInbound,
  ProbedList,
} from "./probe.ts";

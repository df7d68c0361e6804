/*
 * Checks every request to the engine, for programs without types.
 *
 *   checked-engine.ts   wraps each part of the engine
 *   request-members.ts  the members of each request, as tables that the compiler compares with the types
 *   check-requests.ts   refuses members that are missing, wrong or unknown; member-kinds.ts: the kind of each member's value
 */
import type { Engine } from "../engine.ts";
import { withCheckedRequests } from "./check-requests.ts";
import {
  auditRequests,
  authorizationRequests,
  connectionRequests,
  engineRequests,
  keyRequests,
  peopleRequests,
  privateConnectionRequests,
  procedureRequests,
  retentionRequests,
  reviewRequests,
  runRequests,
  sessionRequests,
  summaryRequests,
  triggerRequests,
  webhookRequests,
} from "./request-members.ts";

/** Returns an engine that refuses requests with missing, wrong or unknown members. */
export function checkedEngine(engine: Engine): Engine {
  return {
    ...withCheckedRequests("engine", engine, engineRequests),
    procedures: withCheckedRequests("procedures", engine.procedures, procedureRequests),
    runs: withCheckedRequests("runs", engine.runs, runRequests),
    reviews: withCheckedRequests("reviews", engine.reviews, reviewRequests),
    authorizations: withCheckedRequests("authorizations", engine.authorizations, authorizationRequests),
    connections: withCheckedRequests("connections", engine.connections, connectionRequests),
    privateConnections: withCheckedRequests("privateConnections", engine.privateConnections, privateConnectionRequests),
    webhooks: withCheckedRequests("webhooks", engine.webhooks, webhookRequests),
    triggers: withCheckedRequests("triggers", engine.triggers, triggerRequests),
    audit: withCheckedRequests("audit", engine.audit, auditRequests),
    retention: withCheckedRequests("retention", engine.retention, retentionRequests),
    keys: withCheckedRequests("keys", engine.keys, keyRequests),
    people: withCheckedRequests("people", engine.people, peopleRequests),
    sessions: withCheckedRequests("sessions", engine.sessions, sessionRequests),
    summary: withCheckedRequests("summary", engine.summary, summaryRequests),
  };
}

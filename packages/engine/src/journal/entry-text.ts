import type { Entry, FrozenCall } from "@procedo/procedure";
import { apart, type EntryValue } from "./entry-values.ts";
import { isoTime } from "./iso-time.ts";
import {
  isOfIntent,
  isSameAction,
  isSameConnection,
  usualSendWindowMs,
  usualTimeoutMs,
  type SaidBefore,
} from "./said-before.ts";

/** An entry as it is written: its bare facts as JSON text that is still open for its values. */
export interface EntryText {
  /** Without the last brace. */
  readonly open: string;
  readonly values: readonly EntryValue[];
}

/**
 * What {@link apart} makes of an entry, as text. The kinds that every run writes are spelled out, which their test holds to
 * the other way: making an object of each for `JSON.stringify` costs half of what writing the row does.
 */
export function textOf(entry: Entry, before: SaidBefore): EntryText {
  switch (entry.type) {
    case "started": {
      const { atMs, input, facts } = entry;
      const { procedureId, procedureVersion, environment, createdAt, startedBy } = facts;
      if (createdAt !== isoTime(atMs)) break;
      const open =
        `{"type":"started"${timeText(atMs, before.atMs)},"facts":{"procedureId":${quoted(procedureId)},` +
        `"procedureVersion":${quoted(procedureVersion)},"environment":"${environment}","startedBy":${JSON.stringify(startedBy)}}`;
      return { open, values: [["/input", input]] };
    }
    case "chose": {
      const { atMs, nodeId, visit, branch, reason, confidence } = entry;
      if (reason !== undefined || confidence !== undefined) break;
      const at = `${timeText(atMs, before.atMs)}${numberText("visit", visit)}`;
      return { open: `{"type":"chose"${at},"nodeId":${quoted(nodeId)},"branch":${quoted(branch)}`, values: [] };
    }
    case "ended": {
      const { atMs, nodeId, result } = entry;
      if (nodeId === undefined || result.status !== "completed") break;
      const open = `{"type":"ended"${timeText(atMs, before.atMs)},"nodeId":${quoted(nodeId)}`;
      return { open, values: [["/result/output", result.output]] };
    }
    case "intent": {
      const { atMs, nodeId, visit, call, attempt, notBegun, approvedDigest, doubted, reserved } = entry;
      const { deferrals, firstSentAtMs, waivesKeyAge, sendByMs, timeoutMs, frozen } = entry;
      const open =
        `{"type":"intent"${timeText(atMs, before.atMs)}${callText(nodeId, visit, call, attempt)}` +
        (notBegun === undefined ? "" : `,"notBegun":${notBegun}`) +
        (deferrals === undefined ? "" : `,"deferrals":${deferrals}`) +
        (approvedDigest === undefined ? "" : `,"approvedDigest":${JSON.stringify(approvedDigest)}`) +
        (doubted === undefined ? "" : `,"doubted":${JSON.stringify(doubted)}`) +
        (firstSentAtMs === undefined ? "" : `,"firstSentAtMs":${firstSentAtMs}`) +
        (waivesKeyAge === undefined ? "" : `,"waivesKeyAge":${waivesKeyAge}`) +
        (reserved === undefined ? "" : `,"reserved":${JSON.stringify(reserved)}`) +
        (sendByMs === atMs + usualSendWindowMs ? "" : `,"sendByMs":${sendByMs}`) +
        (timeoutMs === usualTimeoutMs ? "" : `,"timeoutMs":${timeoutMs}`) +
        frozenText(frozen, before.intent?.frozen);
      return { open, values: [["/frozen/args", frozen.args]] };
    }
    case "outcome": {
      const { atMs, nodeId, visit, call, attempt, result, retryAtMs, deferred, late, exchange } = entry;
      if (result.status !== "ok" || deferred !== undefined || exchange !== undefined) break;
      const open =
        `{"type":"outcome"${timeText(atMs, before.atMs)}` +
        (isOfIntent(entry, before.intent) ? "" : callText(nodeId, visit, call, attempt)) +
        (retryAtMs === undefined ? "" : `,"retryAtMs":${retryAtMs}`) +
        (late === undefined ? "" : `,"late":${late}`);
      return { open, values: [["/result/output", result.output]] };
    }
    default:
      break;
  }
  const { bare, values } = apart(entry, before);
  return { open: JSON.stringify(bare).slice(0, -1), values };
}

function timeText(atMs: number, beforeMs: number): string {
  if (atMs === beforeMs) return "";
  const afterMs = atMs - beforeMs;
  return beforeMs + afterMs === atMs ? `,"afterMs":${afterMs}` : `,"atMs":${atMs}`;
}

function callText(nodeId: string, visit: number, call: number, attempt: number): string {
  const numbers = call === 1 && attempt === 1 ? "" : numberText("call", call) + numberText("attempt", attempt);
  return `${numberText("visit", visit)},"nodeId":${quoted(nodeId)}${numbers}`;
}

function numberText(name: string, number: number): string {
  return number === 1 ? "" : `,"${name}":${number}`;
}

function frozenText(frozen: FrozenCall, before: FrozenCall | undefined): string {
  const { connection, connectionId, action, revision, effect, idempotencyKeyTtlMs: ttlMs, handedOut } = frozen;
  const sameAction = isSameAction(frozen, before);
  const said =
    (isSameConnection(frozen, before)
      ? ""
      : `,"connection":${quoted(connection)}` +
        (connectionId === connection ? "" : `,"connectionId":${quoted(connectionId)}`)) +
    (sameAction ? "" : `,"action":${quoted(action)},"revision":${quoted(revision)}`) +
    (effect === before?.effect ? "" : `,"effect":"${effect}"`) +
    (sameAction || ttlMs === undefined ? "" : `,"idempotencyKeyTtlMs":${ttlMs}`) +
    (handedOut === undefined ? "" : `,"handedOut":true`);
  return said === "" ? "" : `,"frozen":{${said.slice(1)}}`;
}

const quotedNames = new Map<string, string>();
const maxKeptTexts = 4_096;

/** A name as JSON. The same ones come with every run: those of nodes, connections and actions. */
function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size >= maxKeptTexts) quotedNames.clear();
  quotedNames.set(name, text);
  return text;
}

import { checkOptionNames, kindOf, quotedValue, ProcedoError, type OptionNames } from "@procedo/contract";
import type { InboundEventType, InboundIntegration, PublishedKeys } from "./inbound-integration.ts";

const inboundNames = {
  events: true,
  refusalStatus: true,
  keys: true,
  verify: true,
  handshake: true,
  parse: true,
  list: true,
} satisfies OptionNames<InboundIntegration>;

const keyNames = { idOf: true, fetch: true } satisfies OptionNames<PublishedKeys>;

const eventNames = { type: true, title: true, schema: true, sample: true } satisfies OptionNames<InboundEventType>;

/**
 * Checks the inbound side of an integration, for programs without types.
 *
 * @param subject the beginning of the message
 * @throws ProcedoError `invalid_configuration`
 */
export function checkInbound(subject: string, inbound: unknown): void {
  if (inbound === undefined) return;
  const place = `${subject}: inbound`;
  checkOptionNames(place, inboundNames, inbound, "invalid_configuration");
  const {
    events,
    refusalStatus = 401,
    keys,
    ...functions
  } = inbound as Partial<Record<keyof InboundIntegration, unknown>>;
  for (const name of ["verify", "parse"] as const) needFunction(place, name, functions[name]);
  for (const name of ["handshake", "list"] as const)
    if (functions[name] !== undefined) needFunction(place, name, functions[name]);
  checkKeys(`${place}.keys`, keys);
  if (!Number.isInteger(refusalStatus) || Number(refusalStatus) < 400 || Number(refusalStatus) > 499) {
    refuse(place, `has the refusalStatus ${quotedValue(refusalStatus)}. Give a status from 400 to 499.`);
  }
  if (!Array.isArray(events) || events.length === 0) {
    refuse(place, `has events that are ${kindOf(events)}. List at least one: { type, title, sample }.`);
  }
  const types = new Set<unknown>();
  for (const event of events as readonly unknown[]) checkEvent(place, event, types);
}

function checkKeys(place: string, keys: unknown): void {
  if (keys === undefined) return;
  checkOptionNames(place, keyNames, keys, "invalid_configuration");
  const { idOf, fetch } = keys as Partial<Record<keyof PublishedKeys, unknown>>;
  needFunction(place, "idOf", idOf);
  needFunction(place, "fetch", fetch);
}

function checkEvent(place: string, event: unknown, types: Set<unknown>): void {
  checkOptionNames(`${place}: an event`, eventNames, event, "invalid_configuration");
  const { type, title, schema, sample } = event as Partial<Record<keyof InboundEventType, unknown>>;
  if (typeof type !== "string" || !/^[^\p{Cc}\p{Cs}]{1,256}$/u.test(type)) {
    refuse(place, `has an event of the type ${quotedValue(type)}. Give the service's name: 1 to 256 characters.`);
  }
  if (types.has(type)) refuse(place, `lists the event "${type}" twice. List each type once.`);
  types.add(type);
  if (typeof title !== "string" || title === "") refuse(place, `has an event "${type}" without a title for people.`);
  if (schema !== undefined && (typeof schema !== "object" || schema === null || Array.isArray(schema))) {
    refuse(
      place,
      `has an event "${type}" with a schema that is ${kindOf(schema)}. Give a JSON Schema, or leave it out.`,
    );
  }
  if (sample === undefined)
    refuse(place, `has an event "${type}" without a sample. Give one that people can recognize.`);
}

function needFunction(place: string, name: string, value: unknown): void {
  if (typeof value !== "function") refuse(place, `has a ${name} that is ${kindOf(value)}. Give a function.`);
}

function refuse(place: string, problem: string): never {
  throw new ProcedoError("invalid_configuration", `${place} ${problem}`);
}

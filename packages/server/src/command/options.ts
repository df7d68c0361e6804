import { InvalidArgumentError, Option } from "commander";
import { environments } from "@procedo/contract";
import type { Principal } from "@procedo/engine";
import { parseDuration } from "@procedo/procedure";

/** The person with access to the data folder, and therefore to all data. */
export function operator(person = "operator"): Principal {
  return { person, via: "command" };
}

/** `--environment`. Defaults to sandbox, so that live is always named explicitly. */
export function environmentOption(): Option {
  return new Option("--environment <environment>", "sandbox or live").choices(environments).default("sandbox");
}

/** `--json` */
export function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

/** `--person` */
export function personOption(what: string): Option {
  return new Option("--person <name>", what).default("operator");
}

/** The options of every list. */
export function pageOptions(): readonly Option[] {
  return [
    new Option("--limit <count>", "maximum number of entries, 1 to 100").default(50).argParser(limit),
    new Option("--cursor <cursor>", "the cursor that the previous page printed"),
  ];
}

/** The parsed options of a list. */
export interface PageFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

function limit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 100) return value;
  throw new InvalidArgumentError("Give a number from 1 to 100.");
}

/** Parses known names, separated by commas. */
export function namesAmong<Name extends string>(known: readonly Name[]): (text: string) => readonly Name[] {
  return (text) =>
    text.split(",").map((part) => {
      const name = known.find((one) => one === part.trim());
      if (name !== undefined) return name;
      throw new InvalidArgumentError(`Give some of ${known.join(",")}.`);
    });
}

/** Parses labels, separated by commas. */
export function labels(text: string): readonly string[] {
  return text.split(",").map((label) => label.trim());
}

/** Parses a number of seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= 86_400) return value;
  throw new InvalidArgumentError("Give a number of seconds from 1 to 86400.");
}

/** Parses an ISO 8601 duration. */
export function milliseconds(text: string): number {
  const duration = parseDuration(text);
  if (duration.ok) return duration.ms;
  throw new InvalidArgumentError(duration.message);
}

/** Parses a date, or a time in ISO 8601, to milliseconds since the epoch. */
export function pointInTime(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new InvalidArgumentError(`"${text}" is not a date. Give one such as 2026-11-30 or 2026-11-30T08:00:00Z.`);
}

import {
  createTriggerRequestSchema,
  ProcedoError,
  requestProblems,
  updateTriggerRequestSchema,
  type ParsedCreateTriggerRequest,
  type ParsedUpdateTriggerRequest,
} from "@procedo/contract";
import type * as z from "zod";
import { parseObject, readText } from "./read-input.ts";

/**
 * Reads the body of `POST /api/v1/triggers` from a file.
 *
 * @param path - `-` for standard input
 * @throws ProcedoError `invalid_input` with every fault of its form
 */
export function readNewTrigger(path: string, stdin: AsyncIterable<Uint8Array>): Promise<ParsedCreateTriggerRequest> {
  return read(createTriggerRequestSchema, path, stdin);
}

/** Reads the body of `PATCH /api/v1/triggers/:triggerId` from a file, as {@link readNewTrigger}. */
export function readTriggerChanges(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<ParsedUpdateTriggerRequest> {
  return read(updateTriggerRequestSchema, path, stdin);
}

async function read<Value>(schema: z.ZodType<Value>, path: string, stdin: AsyncIterable<Uint8Array>): Promise<Value> {
  const parsed = schema.safeParse(parseObject(await readText(path, stdin), `"${path}"`));
  if (parsed.success) return parsed.data;
  const details = requestProblems(parsed.error).map(({ path: place, message }) => ({ path: place, message }));
  throw new ProcedoError("invalid_input", `"${path}" does not describe a trigger.`, { details });
}

import { expect } from "vitest";
import { ProcedoError } from "@procedo/contract";
import type { Page } from "../scope.ts";

/** Reads all pages of a list. */
export async function readAll<T>(
  limit: number,
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<T> = await read(cursor === undefined ? { limit } : { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** The code of the error with which the call fails. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return ProcedoError.isError(error) ? error.code : String(error);
  }
}

import { LedgerError } from "./ledger-error.ts";

const plainInteger = /^-?(?:0|[1-9]\d*)$/;

/**
 * Parses JSON in which every number is a whole number that a double holds exactly.
 *
 * Checks the digits of the literal, not the parsed double: `12.0000000000000000001` parses to 12, and
 * `9007199254740993` to a neighbouring number. Either would pay an amount that the client did not request.
 *
 * @throws {LedgerError} `malformed_request` for invalid JSON, `invalid_payment` for a number that is not a safe
 *   integer.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, (field: string, value: unknown, context?: { source?: string }) => {
      if (typeof value !== "number") return value;
      const digits = context?.source ?? "";
      if (plainInteger.test(digits) && Number.isSafeInteger(value)) return value;
      throw new LedgerError(
        "invalid_payment",
        `"${field}" is ${digits.slice(0, 40)}: write a whole number of minor units with digits only, at most ${Number.MAX_SAFE_INTEGER}.`,
      );
    });
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause;
    throw new LedgerError("malformed_request", "The body is not valid JSON.", { cause });
  }
}

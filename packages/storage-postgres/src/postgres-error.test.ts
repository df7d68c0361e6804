import { ProcedoError } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import { driverErrorOf, failureOf, isUniqueViolation, procedoErrorOf } from "./postgres-error.ts";

const errorOf = (code: string, message = "secret value", more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });

describe("a failure of Postgres", () => {
  it.each(["26000", "42P05"])("%s, a lost prepared statement, names the pooler and the setting", (code) => {
    expect(procedoErrorOf(errorOf(code)).message).toMatch(/pooler.*per transaction.*PROCEDO_DATABASE_NOTIFY=off/);
  });

  it.each([
    ["40001", "conflict", "storage_unavailable"],
    ["40P01", "conflict", "storage_unavailable"],
    ["25006", "read_only", "storage_unavailable"],
    ["08006", "unavailable", "storage_unavailable"],
    ["28P01", "unavailable", "storage_unavailable"],
    ["3D000", "unavailable", "storage_unavailable"],
    ["53300", "unavailable", "storage_unavailable"],
    ["57P01", "unavailable", "storage_unavailable"],
    ["57014", "unavailable", "storage_unavailable"],
    ["25P03", "unavailable", "storage_unavailable"],
    ["58030", "unavailable", "storage_unavailable"],
    ["40003", "unavailable", "storage_unavailable"],
    ["22021", "statement", "invalid_input"],
    ["23505", "statement", "internal"],
    ["22P02", "statement", "internal"],
    ["42P01", "unavailable", "storage_unavailable"],
    ["42501", "unavailable", "storage_unavailable"],
    ["26000", "unavailable", "storage_unavailable"],
    ["42P05", "unavailable", "storage_unavailable"],
    ["42601", "statement", "internal"],
    ["54000", "statement", "payload_too_large"],
  ])("%s is of the kind %s and becomes %s", (code, failure, ours) => {
    expect(failureOf(errorOf(code))).toBe(failure);
    expect(procedoErrorOf(errorOf(code))).toMatchObject({ code: ours });
  });

  it.each([new Error("Connection terminated unexpectedly"), errorOf("ECONNREFUSED"), errorOf("EPIPE")])(
    "without a SQLSTATE is the connection's when the driver throws it, and the program's own when it does not: %s",
    (error) => {
      expect(failureOf(driverErrorOf(error))).toBe("unavailable");
      expect(driverErrorOf(error)).toMatchObject({ code: "storage_unavailable", cause: error });
      expect(failureOf(error)).toBe("statement");
      expect(procedoErrorOf(error).code).toBe("internal");
    },
  );

  it("with a SQLSTATE, and an error of the program, pass through driverErrorOf unchanged", () => {
    for (const error of [errorOf("40001"), new ProcedoError("storage_unavailable", "No."), new TypeError("no array")]) {
      expect(driverErrorOf(error)).toBe(error);
    }
  });

  it("of a statement names its state and constraint, and never quoted values", () => {
    const error = procedoErrorOf(errorOf("23505", "secret value", { constraint: "runs_pkey" }));
    expect(error.message).toContain("23505, runs_pkey");
    expect(error.message).not.toContain("secret");
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error.cause)).toBe(true);
    expect(isUniqueViolation(errorOf("23503"))).toBe(false);
  });

  it("that the program threw keeps its code, or becomes internal", () => {
    const refused = new ProcedoError("invalid_input", "No.");
    expect(failureOf(refused)).toBe("statement");
    expect(procedoErrorOf(refused)).toBe(refused);
    expect(failureOf(new ProcedoError("storage_unavailable", "No."))).toBe("unavailable");
    expect(failureOf(new TypeError("undefined is not a function"))).toBe("statement");
    expect(procedoErrorOf(new TypeError("undefined is not a function")).code).toBe("internal");
  });
});

import type { ImportedOperation } from "./imported-api.ts";

/** A copy with other values, whose output is not made until somebody asks for it. */
export function changedOperation(
  operation: ImportedOperation,
  changes: Partial<Omit<ImportedOperation, "output">>,
): ImportedOperation {
  const properties: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(operation),
    ...Object.getOwnPropertyDescriptors(changes),
  };
  return Object.defineProperties({}, properties) as ImportedOperation;
}

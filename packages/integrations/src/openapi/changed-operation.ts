import type { ImportedOperation } from "./imported-api.ts";

/** A copy with other values. The output is a getter, which the copy does not evaluate. */
export function changedOperation(operation: ImportedOperation, changes: Partial<ImportedOperation>): ImportedOperation {
  const properties: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(operation),
    ...Object.getOwnPropertyDescriptors(changes),
  };
  return Object.defineProperties({}, properties) as ImportedOperation;
}

import type { ImportedOperation } from "./imported-api.ts";

/** A copy with other values. An output, which is a getter, is not made until it is asked for. */
export function changedOperation(operation: ImportedOperation, changes: Partial<ImportedOperation>): ImportedOperation {
  const properties: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(operation),
    ...Object.getOwnPropertyDescriptors(changes),
  };
  return Object.defineProperties({}, properties) as ImportedOperation;
}

import { ApiError } from "./api-error.ts";

/** The problems of a refused request at the fields that they name, and whether any is left for the form. */
export interface FieldProblems {
  of(field: string): string | undefined;
  readonly rest: unknown;
}

/** @param fields the JSON pointers of the form's fields; a problem below a field is one of the field */
export function fieldProblems(error: unknown, fields: readonly string[]): FieldProblems {
  const details = error instanceof ApiError ? error.details : [];
  const isAt = (path: string, field: string): boolean => path === field || path.startsWith(`${field}/`);
  const found = details.filter(({ path }) => fields.some((field) => isAt(path, field)));
  return {
    of: (field) => {
      const detail = found.find(({ path }) => isAt(path, field));
      return detail === undefined ? undefined : `This field ${detail.message}.`;
    },
    rest: found.length > 0 && found.length === details.length ? null : error,
  };
}
